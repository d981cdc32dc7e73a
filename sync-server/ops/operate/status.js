/* Refreshes the page every five seconds while it is visible, and says in the status line when it could not. */
const part = elementOf('live');
const said = elementOf('said');
let isBusy = false;

async function look() {
  if (document.hidden || isBusy) return;
  isBusy = true;
  try {
    const answer = await fetch('/health?part=live', { cache: 'no-store' });
    if (answer.status === 401) {
      location.reload();
      return;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.text());
  } catch {
    say('The server does not answer. What stands here is from before.');
  } finally {
    isBusy = false;
  }
}

/** @param {string} markup the server's, which escapes what people wrote */
function show(markup) {
  const open = [...part.querySelectorAll('details[open]')].map(({ id }) => id);
  const focused = part.contains(document.activeElement) ? document.activeElement?.id : '';
  part.innerHTML = markup;
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  if (focused) document.getElementById(focused)?.focus();
  const state = part.querySelector('[data-state]');
  if (state instanceof HTMLElement) say(state.dataset['state'] ?? '');
}

/** @param {string} text */
function say(text) {
  if (said.textContent !== text) said.textContent = text;
}

/** @param {string} id */
function elementOf(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

setInterval(() => void look(), 5000);
document.addEventListener('visibilitychange', () => void look());
