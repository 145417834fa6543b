// Names for what the theme leaves without one, for people who do not see the page.
function nameLandmarks() {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document.querySelectorAll(".md-code__nav").forEach((each, number) =>
    each.setAttribute("aria-label", `Example ${number + 1}`));
  // A name twice in the table of contents, as of a class and its page, is told by its number.
  document.querySelectorAll(".md-nav--secondary .md-nav").forEach((each, number) => {
    const name = each.getAttribute("aria-label") ?? "";
    if (!name.startsWith("On this page")) each.setAttribute("aria-label", `On this page, ${number + 1}: ${name}`);
  });
  // What is wider than the screen is scrolled by keys, too.
  for (const each of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
}
new MutationObserver(nameLandmarks).observe(document.body, {childList: true, subtree: true});
nameLandmarks();
