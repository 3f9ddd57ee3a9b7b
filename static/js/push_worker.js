// The service worker that shows pushed news while no page of ours is open. It caches nothing and stands in no request's
// way. A lock screen shows what it shows, so that is the table and the deadline, and nothing else.

const told = (event) => {
  try {
    return event.data.json();
  } catch {
    return {};
  }
};

self.addEventListener("push", (event) => {
  const { table = "Kadab", path = "/", deadline = "" } = told(event);
  const body = deadline ? `Until ${deadline}` : "";
  event.waitUntil(
    self.registration.showNotification(table, {
      body,
      tag: path, // the newest of each table
      data: { path },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.path ?? "/", self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      const open = pages.find((page) => new URL(page.url).pathname === url.pathname);
      return open ? open.focus() : self.clients.openWindow(url.href);
    }),
  );
});
