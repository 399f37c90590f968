// Waits for the answer of a wallet, so that nobody has to press a button.

const state = document.querySelector("#state");

async function wait() {
  const words = await fetch(state.dataset.wait).then((answer) => answer.text(), () => "unknown");
  if (words === "unknown") return setTimeout(wait, 2000);
  state.textContent = words === "approved" ? "Allowed." : "Answered.";
  document.querySelector("#done").submit();
}

if (state?.dataset.wait) wait();
if (state?.dataset.reload) setTimeout(() => location.reload(), 1000 * state.dataset.reload);
