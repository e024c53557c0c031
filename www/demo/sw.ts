// The service worker: the site works offline. The build writes the constants `FILES` and `FIRST` before this script, so that it
// differs for each version of the site.
//
// - Every file is stored with its hash. A file that has not changed is kept by the next version.
// - Only complete files are stored: an answer with another status or another hash is passed on, and forgotten.
// - A new version becomes active when all its first files are stored. Pages that are open then get the files of their own version.

/** The hash of each file of the site, by its path. */
declare const FILES: Readonly<Record<string, string>>;
/** The files that are stored at once; the others are stored when a page loads them. */
declare const FIRST: readonly string[];

interface WorkerEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  readonly clientId: string;
  respondWith(answer: Promise<Response>): void;
}
interface Page {
  readonly id: string;
  readonly url: string;
}
/** The parts of `ServiceWorkerGlobalScope` that are used; TypeScript has them only without the DOM. */
interface Worker {
  readonly registration: { readonly scope: string };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options?: { includeUncontrolled: boolean }): Promise<readonly Page[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
}
type Versions = Readonly<Record<'now' | 'before', Readonly<Record<string, string>>>>;

const worker = self as unknown as Worker;
const SCOPE = worker.registration.scope;
/** Other sites of the origin have caches, too. */
const NAME = `gambol ${SCOPE}`;
/** The entry with the files of the active version and of the one before it. */
const VERSIONS = `${SCOPE}?versions`;

/** On the machine of a developer the network comes first, so that each build is seen at once. */
const LOCAL = /^https?:\/\/(localhost|127\.0\.0\.1)[:/]/.test(SCOPE);

/** Pages that were open when this version became active. */
const earlier = new Set<string>();
let versions: Promise<Versions> | undefined;

const open = (): Promise<Cache> => caches.open(NAME);
const keyOf = (path: string, hash: string): string => `${SCOPE}${path}?${hash}`;

async function storedVersions(): Promise<Versions> {
  const stored = await (await open()).match(VERSIONS);
  return stored ? ((await stored.json()) as Versions) : { now: {}, before: {} };
}

/** The path of a file of the site, or undefined for other addresses. */
function pathOf(address: string, anyQuery: boolean): string | undefined {
  const url = new URL(address);
  if (!url.href.startsWith(SCOPE) || (url.search !== '' && !anyQuery)) return undefined;
  const path = decodeURIComponent(`${url.origin}${url.pathname}`.slice(SCOPE.length));
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

async function hashOf(response: Response): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Stores an answer if it is the whole file; returns true if it is. */
async function store(path: string, hash: string, response: Response): Promise<boolean> {
  if (response.status !== 200 || response.redirected) return false;
  if ((await hashOf(response.clone())) !== hash) return false;
  await (await open()).put(keyOf(path, hash), response);
  return true;
}

/** Loads a file into the cache, if it is not there. */
async function load(path: string): Promise<void> {
  const hash = FILES[path];
  if (hash === undefined || (await (await open()).match(keyOf(path, hash)))) return;
  // Past the browser's cache, which may have the file of an earlier version.
  const response = await fetch(`${SCOPE}${path}`, { cache: 'no-cache' });
  if (!(await store(path, hash, response))) throw new Error(`${path} is not that of this version`);
}

async function install(): Promise<void> {
  // One after the other: the page that is open comes first.
  for (const path of FIRST) await load(path);
  await worker.skipWaiting();
}

async function activate(): Promise<void> {
  for (const { id } of await worker.clients.matchAll()) earlier.add(id);
  const before = (await storedVersions()).now;
  const wanted = new Set([FILES, before].flatMap((files) => Object.entries(files).map((file) => keyOf(...file))));
  const cache = await open();
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
  const stored: Versions = { now: FILES, before };
  await cache.put(VERSIONS, new Response(JSON.stringify(stored)));
  versions = Promise.resolve(stored);
  await worker.clients.claim();
  // Pages that were opened before there was a service worker.
  for (const { url } of await worker.clients.matchAll({ includeUncontrolled: true })) {
    const path = pathOf(url, true);
    if (path !== undefined) await load(path).catch(() => undefined);
  }
}

async function answer(event: RequestEvent, path: string): Promise<Response> {
  const { request, clientId } = event;
  const { before } = await (versions ??= storedVersions());
  // A navigation has the id of the page that it leaves.
  const old = request.mode !== 'navigate' && earlier.has(clientId);
  const hash = old ? (before[path] ?? FILES[path]) : (FILES[path] ?? before[path]);
  const stored = async (): Promise<Response | undefined> =>
    hash === undefined ? undefined : (await open()).match(keyOf(path, hash));
  const found = LOCAL ? undefined : await stored();
  if (found) return found;
  try {
    const response = await fetch(request);
    if (hash !== undefined) event.waitUntil(store(path, hash, response.clone()).catch(() => undefined));
    return response.ok ? response : ((await stored()) ?? response);
  } catch (error) {
    const offline = async (): Promise<Response | undefined> =>
      request.mode === 'navigate'
        ? (await open()).match(keyOf('offline.html', FILES['offline.html'] ?? ''))
        : undefined;
    const instead = (await stored()) ?? (await offline());
    if (instead) return instead;
    throw error;
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  // A page may have a query, for example the model that it shows.
  const path = pathOf(request.url, request.mode === 'navigate');
  if (path !== undefined) event.respondWith(answer(event, path));
});

// A module has its own names.
export {};
