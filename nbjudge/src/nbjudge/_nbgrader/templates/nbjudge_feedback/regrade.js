// The form for a second look: saves the page's own text, with what was written put in, as a file, and puts it into the mail.
for (const look of document.querySelectorAll("details.regrade")) {
  const form = look.querySelector(".form"), plain = look.querySelector(".plain"), text = plain.querySelector("pre").textContent;
  const box = form.querySelector("textarea"), mail = form.querySelector("a"), said = form.querySelector("output"), button = form.querySelector("button");
  const filled = () => text.replace("\n\n\n\n", () => `\n\n${box.value.trim()}\n\n`);
  form.hidden = false;
  plain.hidden = true;
  box.addEventListener("input", () => {
    said.textContent = "";
    if (mail) mail.href = `${mail.href.split("&body=")[0]}&body=${encodeURIComponent(filled().replaceAll("\n", "\r\n"))}`;
  });
  button.addEventListener("click", () => {
    if (!box.value.trim()) { said.textContent = "Write first what should be looked at, and why."; box.focus(); return; }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([filled()], {type: "application/octet-stream"}));
    link.download = button.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    said.textContent = `Saved as ${link.download}, where your browser puts files.`;
  });
}
