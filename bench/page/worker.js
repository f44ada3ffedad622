// One message for each event, as many as are due.
self.addEventListener('message', ({ data: { rate, total } }) => {
  const start = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(total, ((performance.now() - start) / 1000) * rate)
    while (sent < due) postMessage(++sent)
    if (sent === total) clearInterval(timer)
  }, 4)
})
