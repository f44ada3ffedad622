document.querySelector('button').addEventListener('click', () => {
  localStorage.setItem('assent-demo-session', 'signed in')
  document.querySelector('[role=status]').textContent = 'You are signed in. Close this tab and go back to the demo.'
})
