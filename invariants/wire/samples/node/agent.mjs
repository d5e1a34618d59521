// A simple truncating agent behind BCP/1, to be copied: put your own bounding layer where bound() is.
//
// It keeps both ends, says what is missing between them, and keeps nothing elsewhere. Try it with
//
//     boundcheck conform -- node agent.mjs
import { createInterface } from "node:readline";

// The bounding layer: what the history gets of one tool output.
function bound(limits, output) {
  let text = allText(output);
  const budget = limits.threshold;
  if (text.length > budget) {
    const marker = `\n... [${text.length - budget} characters omitted] ...\n`;
    const room = Math.max(0, budget - marker.length);
    const head = Math.floor(room / 5);
    text = text.slice(0, head) + marker + text.slice(text.length - (room - head));
  }
  return { text, failed: output.status !== "success" };
}

// The text of an output, or of one of its parts.
function allText(part) {
  return [decode(part.text ?? ""), ...(part.parts ?? []).map(allText), ...(part.metadata ?? []).map(decode)].join("");
}

// A text is a string, or base64 where it is not valid UTF-8.
function decode(text) {
  return typeof text === "string" ? text : Buffer.from(text.b64, "base64").toString("utf8");
}

function answer(request, limits) {
  switch (request.op) {
    case "hello":
      return { hello: { proto: "BCP/1", name: "truncating agent", language: "javascript", caps: ["bound"] } };
    case "bound":
      return { result: bound(limits, request.output) };
    case "reset":
    case "bye":
      return {};
  }
  return { error: { kind: "unsupported", definite: true, text: request.op } };
}

let limits = {};
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  limits = request.limits ?? limits; // they hold until others come
  process.stdout.write(JSON.stringify({ ...answer(request, limits), id: request.id }) + "\n");
  if (request.op === "bye") break;
}
