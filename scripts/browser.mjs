// Opens a page in headless Chromium, for tests and pictures. Speaks the DevTools
// protocol over a pipe, so that it needs nothing but Node.js.

import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";

const timeoutMs = 60000;

/** One browser, which answers commands in any order. */
class Browser {
  constructor(profile) {
    this.process = spawn("chromium", [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
      "--no-first-run", "--disable-extensions", "--remote-debugging-pipe", `--user-data-dir=${profile}`,
    ], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true});
    this.last = 0;
    this.pending = new Map();
    this.problems = [];
    let text = "";
    this.process.stdio[4].on("data", (data) => {
      text += data;
      const messages = text.split("\0");
      text = messages.pop();
      messages.forEach((m) => this.receive(JSON.parse(m)));
    });
    const fail = (why) => this.pending.forEach(({reject}) => reject(new Error(why)));
    this.process.on("error", (e) => fail(`cannot start chromium: ${e.message}`));
    this.process.on("exit", () => fail("chromium ended"));
    this.timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
  }

  receive(message) {
    const waiting = this.pending.get(message.id);
    if (waiting) {
      this.pending.delete(message.id);
      if (message.error)
        waiting.reject(new Error(message.error.message));
      else
        waiting.resolve(message.result);
    } else if (message.method === "Runtime.exceptionThrown") {
      const {text, exception} = message.params.exceptionDetails;
      this.problems.push(exception?.description ?? text);
    } else if (message.method === "Network.requestWillBeSent") {
      // It may load itself again.
      if (message.params.request.url.split("#")[0] !== this.address)
        this.problems.push(`asks for ${message.params.request.url.slice(0, 100)}`);
    }
  }

  send(method, params = {}) {
    const id = ++this.last;
    return new Promise((resolved, reject) => {
      this.pending.set(id, {resolve: resolved, reject});
      this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId: this.session})}\0`);
    });
  }

  async close() {
    clearTimeout(this.timer);
    if (this.process.pid === undefined)
      return; // It never started.
    const ended = new Promise((done) => this.process.once("exit", done));
    if (this.process.exitCode === null && this.process.kill())
      await ended;
    try {
      process.kill(-this.process.pid, "SIGKILL"); // Its helpers, which write to its folder.
    } catch (e) {
      if (e.code !== "ESRCH")
        throw e;
    }
  }
}

/** Removes a folder in which processes that are about to end may still write. */
async function remove(folder) {
  for (const end = Date.now() + 10000;;) {
    try {
      return rmSync(folder, {recursive: true, force: true});
    } catch (e) {
      if (e.code !== "ENOTEMPTY" || Date.now() > end)
        throw e;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** A page as a user has it: with a mouse, keys and eyes. */
class Page {
  constructor(browser) {
    this.browser = browser;
  }

  /** The value of an expression, which may be a promise. */
  async evaluate(expression) {
    const {result, exceptionDetails} = await this.browser.send("Runtime.evaluate", {
      expression, returnByValue: true, awaitPromise: true,
    });
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression) {
    for (let i = 0; i < 200; ++i) {
      if (await this.evaluate(expression))
        return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error([`never true: ${expression}`, ...this.browser.problems].join("\n"));
  }

  /** Clicks into the middle of the first element that an expression gives. */
  async click(expression) {
    const [x, y] = await this.evaluate(`(() => {
      const element = ${expression};
      element.scrollIntoView({block: "center"});
      const at = element.getBoundingClientRect();
      return [at.x + at.width / 2, at.y + at.height / 2];
    })()`);
    for (const type of ["mousePressed", "mouseReleased"])
      await this.browser.send("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
  }

  async key(key) {
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const codes = {Enter: 13, Escape: 27, Tab: 9, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40};
    const windowsVirtualKeyCode = codes[key] ?? key.toUpperCase().charCodeAt(0);
    await this.browser.send("Input.dispatchKeyEvent", {type: text ? "keyDown" : "rawKeyDown", key, text, windowsVirtualKeyCode});
    await this.browser.send("Input.dispatchKeyEvent", {type: "keyUp", key, windowsVirtualKeyCode});
  }

  async type(text) {
    await this.browser.send("Input.insertText", {text});
  }

  async setScheme(scheme) {
    await this.browser.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: scheme}]});
  }

  /** As wide as a window of the screen, or as a sheet of paper. */
  async setWidth(width, media = "") {
    await this.browser.send("Emulation.setEmulatedMedia", {media});
    await this.browser.send("Emulation.setDeviceMetricsOverride", {width, height: 900, deviceScaleFactor: 1, mobile: false});
  }

  async reload() {
    await this.evaluate("delete document.documentElement.dataset.ready");
    await this.browser.send("Page.reload");
    await this.until("document.documentElement?.dataset.ready === 'yes'");
  }

  /** From the top of the element that one expression gives to the bottom of
      that of another, over the width of the first. */
  async screenshot(file, {from = "document.body", to = from} = {}) {
    const clip = await this.evaluate(`(() => {
      const first = (${from}).getBoundingClientRect(), last = (${to}).getBoundingClientRect();
      return {x: first.x + scrollX, y: first.y + scrollY, width: first.width, height: last.bottom - first.y, scale: 1};
    })()`);
    const {data} = await this.browser.send("Page.captureScreenshot", {format: "png", clip, captureBeyondViewport: true});
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  /** The pages of a printout. */
  async print() {
    const {data} = await this.browser.send("Page.printToPDF", {printBackground: true});
    return Buffer.from(data, "base64");
  }
}

/** Calls `use` with the page in `file`, once its scripts have run. Errors of the
    page's scripts, and anything that it asks the network for, are errors. */
export async function withPage(file, use, {width = 1400, height = 1000} = {}) {
  const profile = mkdtempSync(join(tmpdir(), "browser-"));
  const browser = new Browser(profile);
  try {
    const {targetId} = await browser.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await browser.send("Target.attachToTarget", {targetId, flatten: true});
    browser.session = sessionId;
    for (const domain of ["Page", "Runtime", "Network"])
      await browser.send(`${domain}.enable`);
    await browser.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false});
    browser.address = pathToFileURL(resolve(file)).href;
    await browser.send("Page.navigate", {url: browser.address});
    const page = new Page(browser);
    await page.until("document.documentElement?.dataset.ready === 'yes'");
    await use(page);
    if (browser.problems.length)
      throw new Error(browser.problems.join("\n"));
  } finally {
    await browser.close();
    await remove(profile);
  }
}
