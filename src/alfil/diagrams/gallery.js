// The gallery: search, and a board for the piece that is looked at. alfil/library/gallery.py writes the page.

const byId = (id) => document.getElementById(id);

/** A text as it is searched: without case and accents, × as x. */
const folded = (text) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/×/g, "x");

const counted = (some, all) =>
  (some === all ? `${all}` : `${some} of ${all}`) + (all === 1 ? " piece" : " pieces");

class Gallery {
  constructor() {
    this.data = read("data");
    this.signs = read("signs");
    this.cards = [...document.querySelectorAll(".card")].map((card) => ({
      card,
      set: card.closest("section").dataset.set,
      home: card.parentElement.insertBefore(document.createComment(""), card),
      names: card.dataset.names.split("\n").map(folded),
      text: folded(`${card.dataset.search} ${card.querySelector("dl").textContent}`),
    }));
    this.exact = byId("exact");
    this.sections = [...document.querySelectorAll("section[data-set]")];
    this.closer = byId("closer");
    this.watch();
    this.search();
    this.follow();
  }

  watch() {
    const form = document.querySelector(".search");
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    byId("search").addEventListener("input", () => this.search());
    byId("set").addEventListener("change", () => this.search());
    window.addEventListener("hashchange", () => this.follow());
    this.closer.addEventListener("close", () => this.closed());
    this.closer.addEventListener("click", (event) => {
      if (event.target === this.closer) this.closer.close();
    });
  }

  /**
   * Show the pieces that have every word somewhere, in the set that is chosen; above all others
   * those that are called just that.
   */
  search() {
    const words = folded(byId("search").value).split(/\s+/).filter(Boolean);
    const chosen = byId("set").value, wanted = words.join(" ");
    let found = 0;
    for (const {card, set, home, names, text} of this.cards) {
      const shown = words.every((word) => text.includes(word)) && (!chosen || set === chosen);
      card.hidden = !shown;
      found += shown;
      if (shown && names.includes(wanted)) this.exact.querySelector(".cards").append(card);
      else if (home.nextSibling !== card) home.after(card);
    }
    this.exact.querySelector("h2").textContent = `Called “${wanted}”`;
    this.exact.hidden = !this.exact.querySelector(".card");
    for (const heading of document.querySelectorAll(".group")) heading.hidden = words.length > 0;
    for (const section of this.sections) {
      const all = section.querySelectorAll(".card").length;
      const shown = section.querySelectorAll(".card:not([hidden])").length;
      section.hidden = !shown;
      section.querySelector(".count").textContent = counted(shown, all);
    }
    byId("found").textContent = counted(found, this.cards.length);
    byId("nothing").hidden = found > 0;
  }

  /** Show the piece that the address names. */
  follow() {
    const place = decodeURIComponent(location.hash.slice(1)), card = byId(place);
    if (!card || !Object.hasOwn(this.data, place)) {
      if (this.closer.open) this.closer.close();
      return;
    }
    const copy = card.cloneNode(true), board = element("div", {class: "diagram"});
    const title = copy.querySelector("h3");
    title.id = "closer-title";
    copy.querySelector(".open").replaceWith(title, board);
    copy.removeAttribute("id");
    copy.hidden = false;
    byId("closer-content").replaceChildren(copy);
    new Board(board, this.data[place], this.signs);
    this.opened = card;
    if (!this.closer.open) this.closer.showModal();
    this.closer.scrollTop = 0;
  }

  closed() {
    byId("closer-content").replaceChildren();
    if (location.hash) history.pushState(null, "", location.pathname + location.search);
    if (this.opened) this.opened.querySelector(".open").focus();
  }
}

new Gallery();
