// Keeps the site in the browser: the next visit needs no network. Above this stand VERSION and the
// FILES of the site as it was built.

const PLACE = `alfil ${self.registration.scope} `, NAME = PLACE + VERSION;

self.addEventListener("install", (event) => event.waitUntil(keep()));

/** Get all files; what the browser has in its cache is asked for only if it is still so. */
async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((name) => new Request(name, {cache: "no-cache"})));
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => event.waitUntil(clear()));

/** Forget the files of earlier versions. */
async function clear() {
  const names = await caches.keys();
  await Promise.all(names.filter((each) => each.startsWith(PLACE) && each !== NAME).map((each) => caches.delete(each)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});

async function answer(request) {
  const cache = await caches.open(NAME);
  return await cache.match(request, {ignoreSearch: true}) || fetch(request);
}
