// Runs inside the pages that bench/web measures; times are milliseconds since the navigation began.
globalThis.bench = {
  shift: 0,

  /** Resolves with the time of the paint after `isThere` first holds. */
  whenPainted(isThere) {
    return new Promise((resolve) => {
      const look = () => {
        if (!isThere()) return requestAnimationFrame(look);
        // A task begun by a frame runs after that frame is laid out and painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        return requestAnimationFrame(() => port2.postMessage(null));
      };
      look();
    });
  },

  /** Chooses in a list as a click does. @returns milliseconds until `isThere` is painted */
  async timeChoice(select, value, isThere) {
    const begin = performance.now();
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, value);
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return (await this.whenPainted(isThere)) - begin;
  },

  /** Scrolls an element to its end in even steps, one a frame. @returns how long each frame took */
  async scroll(element, steps) {
    const frames = [];
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const step = (element.scrollHeight - element.clientHeight) / steps;
    let before = await next();
    for (let i = 1; i <= steps; i += 1) {
      element.scrollTop = i * step;
      const now = await next();
      frames.push(now - before);
      before = now;
    }
    return frames;
  },

  /** Asks for rows and draws them as the barest of tables. @returns milliseconds until it is painted */
  async drawBareTable(address, token, columns) {
    const begin = performance.now();
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    const { data } = await response.json();
    const rows = data.map(
      (row) => `<tr>${columns.map((name) => `<td>${row[name] ?? '–'}</td>`).join('')}</tr>`,
    );
    document.querySelector('div').innerHTML = `<table>${rows.join('')}</table>`;
    return (await this.whenPainted(() => document.querySelectorAll('tr').length === data.length)) - begin;
  },
};

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) globalThis.bench.shift += entry.value;
  }
}).observe({ type: 'layout-shift', buffered: true });
