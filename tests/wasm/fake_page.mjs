// SPDX-License-Identifier: GPL-3.0-or-later
// The student's page in node: as much of a browser as page.mjs touches. Its Worker does nothing: a test sees what was
// posted to it, and says what it posts. No timer runs by itself.
import {readFile} from "node:fs/promises";

class Element extends EventTarget {
  textContent = ""; children = []; hidden = false; dataset = {}; style = {}; attributes = {}; classes = new Set();
  clientWidth = 300; clientHeight = 150; width = 280; height = 280; ink = 0;
  classList = {toggle: (name, on) => { this.classes[on ? "add" : "delete"](name); }};
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...parts) { for (const part of parts) this.appendChild(part); }
  appendChild(part) {
    part.remove = () => this.children.splice(this.children.indexOf(part), 1);
    this.children.push(part);
    return part;
  }
  replaceChildren() { this.children = []; }
  get lastChild() { return this.children.at(-1); }
  setPointerCapture() {}
  getBoundingClientRect() { return {left: 0, top: 0, width: this.width, height: this.height}; }
  getContext() {
    const drawn = {getImageData: (x, y, w, h) => ({data: new Uint8ClampedArray(4 * w * h).fill(this.ink)})};
    return new Proxy(drawn, {get: (own, name) => own[name] ?? (() => {})});
  }
}

let opened = 0;

// `storage`: what sessionStorage has; null: it throws, as where cookies are blocked.
export async function openPage(root, {url = "http://192.168.1.2:8080/", storage = {}} = {}) {
  const html = await readFile(`${root}/resources/class/page/index.html`, "utf8"), byId = {}, marked = [];
  for (const [, attributes] of html.matchAll(/<\w+([^>]*)>/g)) {
    const [, id] = /\sid="([^"]*)"/.exec(attributes) ?? [], [, name] = /data-text="([^"]*)"/.exec(attributes) ?? [];
    const element = id || name ? new Element() : null;
    if (id) byId[id] = element;
    if (name) marked.push(Object.assign(element, {dataset: {text: name}}));
  }
  const page = {byId, marked, storage, posted: [], timers: new Map(), text: (id) => byId[id].textContent};
  const window = new EventTarget(), status = new Element(), location = new URL(url);
  const kept = {
    getItem: (name) => storage[name] ?? null, setItem: (name, value) => { storage[name] = value; },
    removeItem: (name) => { delete storage[name]; },
  };
  const document = Object.assign(new EventTarget(), {
    hidden: false, documentElement: new Element(), getElementById: (id) => byId[id],
    querySelector: (of) => marked.find(({dataset}) => of.includes(`"${dataset.text}"`)) ?? status,
    querySelectorAll: () => marked, createElement: () => new Element(),
  });
  const browser = {
    document, location, devicePixelRatio: 1, navigator: {languages: ["en"]},
    history: {replaceState: () => { location.hash = ""; }},
    Worker: class {
      constructor() { page.worker = this; }
      postMessage(message) { page.posted.push(message); }
    },
    ResizeObserver: class { observe() {} },
    ImageData: class { constructor(wide, high) { this.data = new Uint8ClampedArray(4 * wide * high); } },
    matchMedia: () => new EventTarget(), getComputedStyle: () => ({getPropertyValue: () => "#000000"}),
    addEventListener: (...of) => window.addEventListener(...of),
    setTimeout: (run, ms) => { page.timers.set(++opened, {run, ms}); return opened; },
    clearTimeout: (timer) => page.timers.delete(timer),
  };
  const before = Object.keys(browser).concat("sessionStorage")
    .map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
  Object.defineProperty(globalThis, "sessionStorage", {configurable: true, get() {
    if (storage === null) throw new Error("SecurityError");
    return kept;
  }});
  page.close = () => {
    for (const [name, own] of before) own ? Object.defineProperty(globalThis, name, own) : delete globalThis[name];
  };
  page.tell = (data) => page.worker.onmessage({data});
  page.goTo = (hash) => { location.hash = hash; window.dispatchEvent(new Event("hashchange")); };
  page.location = location;
  await import(`${root}/resources/class/page/page.mjs?${++opened}`);
  return page;
}
