/* Calls of the server's API: JSON requests and replies, errors as sentences, and waiting while the server is away.

   ask(kind, body, {signal})       POST /api/<kind>, gives the JSON of the answer; a newer question of the same kind ends the older one on the
                                   server, unless {question} gives it another name
   fetchFor(kind, body, {signal})  the same, gives the Response (files, streams)
   read(path, {signal})            GET of a path such as "scenarios", gives JSON
   address(path)                   the address of a path for <img src> and downloads, with the token where there is one
   Every failure is an ApiError: .sentence (for people), .key (where in the scenario), .status (0: the call was ended), .faults (all of them)
   While the server is away every call waits and goes out again once it is back; store.error is {kind: "gone"} meanwhile. */

import { say } from "./language.js";
import { store } from "./store.js";

const token = new URLSearchParams(globalThis.location?.search ?? "").get("token");
const page = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const PAUSE = 500; // milliseconds between two checks whether the server is back
let back = null;

export class ApiError extends Error {
  constructor(sentence, { status = 0, key = null, faults = [] } = {}) {
    super(sentence);
    Object.assign(this, { sentence, status, key, faults });
  }
}

export function address(path) {
  const full = path.startsWith("/") ? path : `/api/${path}`;
  return token ? `${full}${full.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}` : full;
}

function headers(kind, hasBody) {
  const made = { "X-Page": page, "X-Question": kind };
  if (token) made["X-Token"] = token;
  if (hasBody) made["Content-Type"] = "application/json";
  return made;
}

function ended() {
  return new ApiError(say`The question was ended.`, { status: 0 });
}

/** Wait until the server answers again; all failed calls share one check. */
function untilBack() {
  if (!back) {
    store.tell("error", { kind: "gone" });
    back = (async () => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        try {
          const answer = await fetch("/api/health", { headers: headers("health", false), cache: "no-store" });
          if (answer.ok) break;
        } catch { /* still away */ }
      }
      back = null;
      store.tell("error", { kind: "back" });
    })();
  }
  return back;
}

async function failure(answer) {
  const told = await answer.json().catch(() => ({}));
  const sentence = told.error ?? say`The server answered ${answer.status}.`;
  return new ApiError(sentence, { status: answer.status, key: told.key ?? null, faults: told.faults ?? [] });
}

async function call(path, kind, init, signal) {
  for (;;) {
    try {
      const answer = await fetch(path, { ...init, signal, headers: headers(kind, init.body !== undefined), cache: "no-store" });
      if (!answer.ok) throw await failure(answer);
      return answer;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (signal?.aborted) throw ended();
      await untilBack();
      if (signal?.aborted) throw ended();
    }
  }
}

export function fetchFor(kind, body, { signal, question = kind } = {}) {
  return call(`/api/${kind}`, question, { method: "POST", body: JSON.stringify(body) }, signal);
}

/** Read the body of a reply; repeat the request if the server goes away meanwhile. */
async function whole(start, signal) {
  for (;;) {
    const answer = await start();
    try {
      return await answer.json();
    } catch (error) {
      if (signal?.aborted) throw ended();
      if (error instanceof SyntaxError) throw new ApiError(say`The server's answer could not be read.`, { status: 500 });
      await untilBack();
    }
  }
}

export function ask(kind, body, { signal, question } = {}) {
  return whole(() => fetchFor(kind, body, { signal, question }), signal);
}

export function read(path, { signal } = {}) {
  return whole(() => call(`/api/${path}`, path, { method: "GET" }, signal), signal);
}
