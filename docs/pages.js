// Names for what the theme leaves without one, for people who do not see the page.
function nameLandmarks() {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document.querySelectorAll(".md-code__nav").forEach((each, number) =>
    each.setAttribute("aria-label", `Example ${number + 1}`));
  for (const each of document.querySelectorAll(".md-sidebar--secondary .md-nav .md-nav")) {
    const name = each.getAttribute("aria-label") ?? "";
    if (!name.startsWith("On this page")) each.setAttribute("aria-label", `On this page: ${name}`);
  }
}
new MutationObserver(nameLandmarks).observe(document.body, {childList: true, subtree: true});
nameLandmarks();
