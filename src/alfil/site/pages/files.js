// Files that a page gives and takes, without any server.

import {element} from "./drawing.js";

/** Have the browser save some content under a name. */
export function save(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  const link = element("a", {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** A name for a file made of a text: letters, digits and hyphens. */
export const fileName = (text, suffix) =>
  `${text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40) || "piece"}.${suffix}`;

/** A drawing as an address that a picture can be loaded from; nothing in it can run. */
export const pictured = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** A drawing as PNG, so many times as large. */
export async function inPNG(svg, times = 2) {
  const image = new Image();
  image.src = pictured(svg);
  await image.decode();
  const canvas = element("canvas", {width: image.naturalWidth * times, height: image.naturalHeight * times});
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** An answer of a server whose content is compressed, whatever the server says, unpacked. */
export const unzipped = (answer) =>
  new Response(answer.body.pipeThrough(new DecompressionStream("gzip")));

/** Put something on the clipboard, a text or a promise of a picture; whether the browser did it. */
export async function copy(content) {
  try {
    if (typeof content === "string") await navigator.clipboard.writeText(content);
    else await navigator.clipboard.write([new ClipboardItem({"image/png": content})]);
    return true;
  } catch {
    return false;
  }
}
