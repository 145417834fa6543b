// The gallery: search, and a board for the piece that is looked at. alfil/library/gallery.py writes the page.

const byId = (id) => document.getElementById(id);

/** A text as it is searched: without case and accents, × as x. */
const folded = (text) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/×/g, "x");

const counted = (some, all) =>
  (some === all ? `${all}` : `${some} of ${all}`) + (all === 1 ? " piece" : " pieces");

// So many pieces are on a page of a narrow screen that it is not too long to scroll.
const PAGE = 24;

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
    byId("before").addEventListener("click", () => this.turn(-1));
    byId("after").addEventListener("click", () => this.turn(1));
    window.addEventListener("beforeprint", () => this.show(this.found));
    window.addEventListener("afterprint", () => this.turn(0));
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
    const exact = [], others = [];
    for (const {card, set, home, names, text} of this.cards) {
      const found = words.every((word) => text.includes(word)) && (!chosen || set === chosen);
      const isExact = found && names.includes(wanted);
      if (isExact) this.exact.querySelector(".cards").append(card);
      else if (home.nextSibling !== card) home.after(card);
      if (found) (isExact ? exact : others).push(card);
    }
    this.found = [...exact, ...others];
    this.exact.querySelector("h2").textContent = `Called “${wanted}”`;
    this.searching = words.length > 0;
    for (const section of this.sections) {
      const all = section.querySelectorAll(".card").length;
      const found = others.filter((card) => section.contains(card)).length;
      section.querySelector(".count").textContent = counted(found, all);
    }
    byId("found").textContent = counted(this.found.length, this.cards.length);
    byId("nothing").hidden = this.found.length > 0;
    this.page = 0;
    this.turn(0);
  }

  /** Show another page of the pieces that were found, from its top. */
  turn(by) {
    const pages = Math.ceil(this.found.length / PAGE);
    this.page = Math.max(0, Math.min(this.page + by, pages - 1));
    this.show(this.found.slice(PAGE * this.page, PAGE * (this.page + 1)));
    byId("paging").hidden = pages < 2;
    byId("page").textContent = `Page ${this.page + 1} of ${pages}`;
    byId("before").disabled = this.page === 0;
    byId("after").disabled = this.page === pages - 1;
    if (by) window.scrollTo(0, 0);
  }

  /** Show these pieces and no others, with the headings above them. */
  show(cards) {
    const shown = new Set(cards);
    for (const {card} of this.cards) card.hidden = !shown.has(card);
    const isEmpty = (element) => !element.querySelector(".card:not([hidden])");
    this.exact.hidden = isEmpty(this.exact);
    for (const section of this.sections) section.hidden = isEmpty(section);
    for (const heading of document.querySelectorAll(".group")) {
      heading.hidden = this.searching || isEmpty(heading.parentElement);
    }
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
    copy.querySelector(".facts")?.setAttribute("open", "");
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
