/* A button "Resume" above a notebook, and the same in the command palette. attnlab/resume.py says which cells run, and where the learner goes on.

   Written by hand, so that nothing has to be built: JupyterLab wants an object with `init` and `get` under the extension's name. */
(() => {
  const NAME = 'attnlab';
  const COMMAND = `${NAME}:resume`;
  const STOPPING = ['notebook:interrupt-kernel', 'kernelmenu:interrupt'];
  const LABEL = 'Resume';
  const CAPTION = 'Run what you wrote, up to the first exercise that is open; no prediction is answered';
  const LONG = 12000; // milliseconds, for a message to be read
  let shared = {};

  const load = async name => (await Object.values(shared[name])[0].get())();

  /* What a function of attnlab/resume.py answers. Nothing of it is seen in the notebook, and it is no cell that ran. */
  const ask = async (panel, name, ...more) => {
    const cells = panel.content.widgets.map(({ model: { type, id, sharedModel } }) => (
      { cell_type: type, id, metadata: sharedModel.getMetadata(), source: sharedModel.getSource() })); // not the outputs, which may be large
    const given = [JSON.stringify(cells), ...more].map(one => JSON.stringify(one)).join(', ');
    const kernel = panel.sessionContext.session?.kernel;
    if (!kernel) throw new Error('this notebook has no kernel. Next: choose one in the menu Kernel, then press Resume again.');
    const reply = await kernel.requestExecute({
      code: '', silent: true, store_history: false, user_expressions: { told: `__import__("attnlab.resume", fromlist=["resume"]).${name}(${given})` }
    }).done;
    const told = reply.content.user_expressions?.told;
    if (told?.status !== 'ok') {
      throw new Error(`the course's code cannot be used in this kernel (${told?.evalue ?? reply.content.evalue ?? reply.content.status}). `
        + 'Next: open the course as its README says, and choose the kernel Python 3.');
    }
    return told.data['application/json'];
  };

  const plugin = (apputils, notebooks) => ({
    id: COMMAND,
    description: 'Runs what a learner wrote in a lesson, up to the first exercise that is open.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    optional: [apputils.ICommandPalette],
    activate: (app, tracker, palette) => {
      const busy = new Set();
      const notices = new WeakMap(); // the last one of each notebook, which the next one replaces

      /* Run cells one after the other: how many ran, and what ended the run early. */
      const run = async (panel, cells, stopping, tell) => {
        const { content, sessionContext } = panel;
        let stopped = '';
        const interrupted = (_, { id }) => { if (STOPPING.includes(id)) stopped = 'interrupted'; };
        const ended = (_, status) => { if (['restarting', 'autorestarting', 'terminating', 'dead'].includes(status)) stopped = 'ended'; };
        app.commands.commandExecuted.connect(interrupted);
        sessionContext.statusChanged.connect(ended);
        let ran = 0;
        try {
          while (ran < cells.length && !stopped) {
            tell(`cell ${ran + 1} of ${cells.length}; the square above the notebook interrupts it`);
            const cell = cells[ran++];
            if (cell.isDisposed || await notebooks.NotebookActions.runCells(content, [cell], sessionContext)) continue;
            if (stopping.has(cell)) stopped ||= 'error';
          }
        } finally {
          app.commands.commandExecuted.disconnect(interrupted);
          sessionContext.statusChanged.disconnect(ended);
        }
        return { ran, stopped };
      };

      const show = async (content, place) => {
        const card = place > 0 && content.widgets[place - 1].model.type === 'markdown' ? place - 1 : place;
        content.deselectAll();
        content.activeCellIndex = place;
        await content.scrollToItem(card, 'start');
      };

      const resume = async panel => {
        if (!panel || busy.has(panel)) return;
        busy.add(panel);
        app.commands.notifyCommandChanged(COMMAND);
        if (notices.has(panel)) apputils.Notification.dismiss(notices.get(panel));
        const id = apputils.Notification.emit('Resume: waiting for the kernel…', 'in-progress', { autoClose: false });
        notices.set(panel, id);
        const tell = line => apputils.Notification.update({ id, message: `Resume: ${line}` });
        const end = (message, type) => apputils.Notification.update({ id, message, type, autoClose: type === 'success' && LONG });
        try {
          await panel.sessionContext.ready;
          const planned = await ask(panel, 'plan');
          if (planned.said) return end(planned.said, 'info');
          const cells = places => places.map(place => panel.content.widgets[place]);
          const { ran, stopped } = await run(panel, cells(planned.run), new Set(cells(planned.stopping)), tell);
          if (stopped === 'ended') {
            return end(`The kernel ended while cell ${ran} of ${planned.run.length} ran. Next: when it is back, press Resume again.`, 'warning');
          }
          const told = await ask(panel, 'outcome', ran, stopped);
          if (Number.isInteger(told.place)) await show(panel.content, told.place);
          end(told.said, stopped ? 'warning' : 'success');
        } catch (error) {
          apputils.Notification.dismiss(id);
          await apputils.showErrorMessage('Resume', `Nothing more was run: ${error.message ?? error}`);
        } finally {
          busy.delete(panel);
          app.commands.notifyCommandChanged(COMMAND);
        }
      };

      app.commands.addCommand(COMMAND, {
        label: LABEL,
        caption: CAPTION,
        isEnabled: () => Boolean(tracker.currentWidget) && !busy.has(tracker.currentWidget),
        execute: () => resume(tracker.currentWidget)
      });
      palette?.addItem({ command: COMMAND, category: 'Notebook Operations' });
      app.docRegistry.addWidgetExtension('Notebook', {
        createNew: panel => {
          const button = new apputils.ToolbarButton({
            className: 'attnlab-resume', label: LABEL, tooltip: CAPTION, onClick: () => void resume(panel) });
          const spacer = [...panel.toolbar.children()].findIndex(part => part.node.classList.contains('jp-Toolbar-spacer'));
          panel.toolbar.insertItem(spacer < 0 ? 10 : spacer, 'attnlabResume', button);
          return button;
        }
      });
    }
  });

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[NAME] = {
    init: scope => { shared = scope; },
    get: async () => {
      const modules = await Promise.all(['@jupyterlab/apputils', '@jupyterlab/notebook'].map(load));
      const extension = plugin(...modules);
      return () => ({ __esModule: true, default: extension });
    }
  };
})();
