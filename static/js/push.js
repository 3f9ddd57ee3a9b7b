// The account page's switch for pushed news: asks the browser, and tells the server where to push.

import { $ } from "./page.js";

const button = $("push-switch");
const says = $("push-says");
const say = (text) => {
  if (says) says.textContent = text;
};

const bytes = (text) => {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
};

const spelt = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const send = async (fields) => {
  const form = new FormData(button.form);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const answer = await fetch(button.form.action, { method: "POST", body: form, headers: { Accept: "text/plain" } });
  if (answer.status === 422) return answer.text();
  if (!answer.ok) throw new Error(`answer ${answer.status}`);
  return "";
};

const registered = () => navigator.serviceWorker.register(button.dataset.worker, { scope: "/account/" });

const subscribe = async () => {
  if ((await Notification.requestPermission()) !== "granted") {
    say("Your browser doesn’t allow notifications for this site. Change that in its settings, and try again.");
    return;
  }
  const worker = await registered();
  const key = bytes(button.dataset.key);
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const refusal = await send({
    endpoint: subscription.endpoint,
    p256dh: spelt(subscription.getKey("p256dh")),
    auth: spelt(subscription.getKey("auth")),
  });
  if (refusal) say(refusal);
  else location.reload();
};

if (button) {
  const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  button.hidden = !can;
  if (!can) say($("push-hint") ? "" : "This browser can’t show pushed news.");
  button.addEventListener("click", (event) => {
    event.preventDefault();
    button.disabled = true;
    subscribe()
      .catch((error) => {
        say("Your browser couldn’t set this up. Private windows can’t, for example.");
        console.warn(error);
      })
      .finally(() => {
        button.disabled = false;
      });
  });
}
