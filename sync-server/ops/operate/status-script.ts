/** Refreshes the page every five seconds while it is visible, and says in the status line when it could not. */
export const statusScript = `
const part = document.getElementById('live');
const said = document.getElementById('said');
let isBusy = false;
async function look() {
  if (document.hidden || isBusy) return;
  isBusy = true;
  try {
    const answer = await fetch('/health?part=live', { cache: 'no-store' });
    if (answer.status === 401) return void location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const open = [...part.querySelectorAll('details[open]')].map(({ id }) => id);
    const focused = part.contains(document.activeElement) ? document.activeElement.id : '';
    part.innerHTML = await answer.text();
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
    if (focused !== '') document.getElementById(focused)?.focus();
    say(part.querySelector('[data-state]').dataset.state);
  } catch {
    say('The server does not answer. What stands here is from before.');
  } finally {
    isBusy = false;
  }
}
function say(text) {
  if (said.textContent !== text) said.textContent = text;
}
setInterval(look, 5000);
document.addEventListener('visibilitychange', look);
`;
