/* A button "Validate" in place of nbgrader's. It asks nbgrader's own handler, whose answer `told` is made by validating.py.

   Written by hand, so that nothing has to be built: JupyterLab wants an object with `init` and `get` under the extension's name. */
(() => {
  const NAME = 'nbjudge';
  const TAGS = { heading: 'h3', line: 'p', item: 'li', code: 'pre' };
  let shared = {};

  const load = async name => (await Object.values(shared[name])[0].get())();

  const page = told => {
    const node = document.createElement('div');
    node.className = 'nbjudge-validation';
    node.style.width = 'min(60em, 75vw)';
    for (const { kind, text } of told) {
      const part = document.createElement(TAGS[kind] ?? 'p');
      part.textContent = text;
      part.style.whiteSpace = kind === 'code' ? 'pre-wrap' : 'normal';
      part.style.margin = kind === 'item' ? '0.2em 0 0.2em 1.5em' : '0.5em 0';
      node.append(part);
    }
    return node;
  };

  /* One JSON text a line: what goes on, and at the end the answer. A server that has not read the course's configuration yet sends the answer alone. */
  const lastOf = async (response, tell) => {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '', last = {};
    const take = line => {
      last = JSON.parse(line);
      if (last.running) tell(last.running);
    };
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n');
      rest = lines.pop();
      lines.forEach(take);
    }
    if (rest) take(rest);
    return last;
  };

  const plugin = (apputils, coreutils, services, widgets) => ({
    id: `${NAME}:validate`,
    description: 'A button that runs a notebook in a fresh kernel and says which visible tests pass.',
    autoStart: true,
    activate: app => {
      const ask = async (context, tell) => {
        await context.save();
        const settings = services.ServerConnection.makeSettings();
        const url = coreutils.URLExt.join(settings.baseUrl, 'assignments/validate');
        const request = { method: 'POST', body: JSON.stringify({ path: context.path, tells_progress: true }) };
        const response = await services.ServerConnection.makeRequest(url, request, settings);
        if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`);
        const answer = await lastOf(response, tell);
        if (!answer.success) throw new Error(answer.value);
        if (!answer.value.told) throw new Error('nbgrader_config.py of this course does not switch the grader on.');
        return answer.value.told;
      };
      const validate = async (context, button) => {
        button.enabled = false;
        const id = apputils.Notification.emit('Validate: running…', 'in-progress', { autoClose: false });
        const tell = line => apputils.Notification.update({ id, message: `Validate: ${line}` });
        const told = await ask(context, tell).catch(error => [
          { kind: 'line', text: 'The notebook could not be validated.' }, { kind: 'code', text: String(error.message ?? error) }]);
        apputils.Notification.dismiss(id);
        button.enabled = true;
        await apputils.showDialog({
          title: 'Validation Results', body: new widgets.Widget({ node: page(told) }), buttons: [apputils.Dialog.okButton()] });
      };
      app.docRegistry.addWidgetExtension('Notebook', {
        createNew: (panel, context) => {
          const button = new apputils.ToolbarButton({
            className: 'nbjudge-validate', label: 'Validate', tooltip: 'Save, run all cells in a fresh kernel, and say which visible tests pass',
            onClick: () => void validate(context, button) });
          const spacer = [...panel.toolbar.children()].findIndex(part => part.node.classList.contains('jp-Toolbar-spacer'));
          panel.toolbar.insertItem(spacer < 0 ? 10 : spacer, 'nbjudgeValidate', button);
          return button;
        }
      });
    }
  });

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[NAME] = {
    init: scope => { shared = scope; },
    get: async () => {
      const modules = await Promise.all(['@jupyterlab/apputils', '@jupyterlab/coreutils', '@jupyterlab/services', '@lumino/widgets'].map(load));
      const extension = plugin(...modules);
      return () => ({ __esModule: true, default: extension });
    }
  };
})();
