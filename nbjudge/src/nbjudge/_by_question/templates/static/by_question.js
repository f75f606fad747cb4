/* Grading by question: what a person does becomes one request, and what the server answers is what the page shows. */
(() => {
  'use strict';
  const $ = id => document.getElementById(id);
  const data = JSON.parse($('data').textContent);
  const cards = [...document.querySelectorAll('article.answer')];
  const shown = cards.map(card => card.dataset.key);
  const cardOf = new Map(cards.map(card => [card.dataset.key, card]));
  const place = location.pathname.replace(/\/$/, '');
  const drafts = new Map(), busy = new Map();  // comments that are being written; how many requests are under way, by answer
  const done = [];
  let current = null, editing = null, waiting = Promise.resolve(), hides = 0;

  const exact = points => String(points).replace('-', '−');  // for a field, whose text is saved again
  const number = points => exact(Math.round(points * 100) / 100);
  const signed = points => (points < 0 ? '−' : '+') + number(Math.abs(points));
  const some = (count, one, more) => `${count} ${count === 1 ? one : more}`;
  const make = (tag, words = '', about = {}) => Object.assign(document.createElement(tag), { textContent: words }, about);
  const stateOf = key => data.answers[key];

  const say = (words, isTrouble = false) => {
    $('message').textContent = words;
    $('message').className = isTrouble ? 'trouble' : '';
    clearTimeout(hides);
    hides = setTimeout(() => { $('message').textContent = ''; }, isTrouble ? 15000 : 6000);
  };

  /* ---- what is asked of the server, one thing after the other ---- */

  const take = told => {
    if (told.rubric) data.rubric = told.rubric;
    if (told.answers) Object.assign(data.answers, told.answers);
    if ('waiting' in told) Object.assign(data, { waiting: told.waiting, count: told.count });
    draw();
  };

  const ask = async body => {
    const cookie = document.cookie.match(/(?:^|; )_xsrf=([^;]*)/);
    let response, told;
    try {
      response = await fetch(place, {
        method: 'POST', body: JSON.stringify({ ...body, shown }),
        headers: { 'Content-Type': 'application/json', 'X-XSRFToken': cookie ? decodeURIComponent(cookie[1]) : '' } });
      told = await response.json();
    } catch {
      say(response && response.status === 403
        ? 'The server does not know you any more. Nothing was saved. Next: reload the page, and log in.'
        : 'The server does not answer. Nothing was saved. Next: look whether it runs, then repeat what you did.', true);
      return null;
    }
    if (told.answers) take(told);
    if (!response.ok) {
      say(told.trouble || told.message || `The server refused it (${response.status}). Nothing was saved.`, true);
      draw();
      return null;
    }
    return told;
  };

  const inTurn = task => (waiting = waiting.then(task, task));

  const remember = step => {
    done.push(step);
    $('undo').disabled = false;
  };

  /* `change` gets the state that the answer has when its turn comes, so that quick keys add up. */
  const grade = (key, change, isUndo = false) => {
    busy.set(key, (busy.get(key) ?? 0) + 1);
    const isLast = () => (busy.get(key) > 1 ? busy.set(key, busy.get(key) - 1) : busy.delete(key));
    return inTurn(() => gradeNow(key, change, isUndo).finally(isLast));
  };
  const gradeNow = async (key, change, isUndo) => {
    const before = stateOf(key), to = change(before);
    if (!to) return false;
    const told = await ask({ action: 'grade', answer: key, seen: before.seen, text: data.texts[key], to });
    if (!told) return false;
    if (!isUndo) {
      remember({ key, before: told.before });
      if (before.mode === 'hand' && to.mode === 'rubric')
        say(`The points set by hand, ${number(before.points)}, gave way to the rubric's, ${number(stateOf(key).points)}. Undo with u.`);
    }
    return true;
  };

  const changeRubric = (change, isUndo = false) => inTurn(async () => {
    const told = await ask({ action: 'rubric', seen: data.rubric.seen, change });
    if (!told) return false;
    if (!isUndo) remember({ change: told.undo });
    const parts = [];
    if (told.recalculated) parts.push(`${some(told.recalculated, 'answer was', 'answers were')} recalculated.`);
    if (told.kept) parts.push(`${some(told.kept, 'answer keeps the points that were', 'answers keep points that were')} set by hand.`);
    say(parts.join(' ') || 'Saved.');
    return true;
  });

  const undo = async () => {
    await keepComment();
    const step = done.pop();
    $('undo').disabled = !done.length;
    if (!step) return say('There is nothing to undo on this page.');
    const worked = step.change ? await changeRubric(step.change, true) : await grade(step.key, () => step.before, true);
    if (!worked) return;
    if (step.key) choose(step.key);
    if (step.key) say('Undone.');
  };

  /* ---- what a person does to an answer ---- */

  const plain = (state, more) => ({ mode: 'rubric', items: state.items, adjustment: state.adjustment, comment: commentOf(state), ...more });
  const commentOf = state => drafts.get(state.key) ?? state.comment;
  const settle = (state, to) => (to.items.length || to.adjustment ? to : { ...to, mode: 'waits' });

  const toggle = item => current && grade(current, state => {
    const items = state.items.includes(item) ? state.items.filter(one => one !== item) : [...state.items, item];
    return settle(state, plain(state, { items }));
  });
  const noItem = () => current && grade(current, state => plain(state, { items: [], adjustment: 0 }));
  const adjust = text => current && grade(current, state => {
    const adjustment = text.trim() === '' ? 0 : text;
    return settle(state, plain(state, { adjustment }));
  });
  const confirmOne = key => grade(key, state => ({ ...state, needs: false, of: data.texts[key] }));
  const useRubric = key => grade(key, state => plain(state, {}));

  const keepComment = async (key = current) => {
    if (!drafts.has(key) || drafts.get(key) === stateOf(key).comment) return drafts.delete(key);
    const words = drafts.get(key);
    const saved = await grade(key, state => (state.mode === 'rubric' ? plain(state, { comment: words })
      : { ...state, comment: words, needs: undefined, ...(state.mode === 'waits' ? { items: [], adjustment: 0 } : {}) }));
    if (saved && drafts.get(key) === words) drafts.delete(key);
    draw();
  };

  /* ---- where a person is ---- */

  const choose = (key, scrolls = true) => {
    if (key !== current) {
      void keepComment();
      if (current) cardOf.get(current).classList.remove('current');
      current = key;
      if (key) cardOf.get(key).classList.add('current');
      drawPanel();
    }
    if (key && scrolls) {
      const card = cardOf.get(key);
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: 'start' });
    }
  };
  const at = () => shown.indexOf(current);
  const step = by => { if (shown.length) choose(shown[Math.min(Math.max(at() + by, 0), shown.length - 1)]); };
  /* At once, so that the next key means the next answer, also while this one is being saved. */
  const nextWaiting = async () => {
    const order = [...shown.slice(at() + 1), ...shown.slice(0, at() + 1)];
    const find = () => order.find(key => stateOf(key).needs && !busy.has(key) && key !== current);
    const found = find();
    if (found) return choose(found);
    await keepComment();
    await waiting;
    const left = find() ?? order.find(key => stateOf(key).needs);
    if (left) return choose(left);
    if (data.waiting === 0) return say('Every answer is graded.');
    location.search = location.search.includes('show=waiting') ? '?show=waiting' : data.next ? `?page=${data.next}` : '?show=waiting';
  };

  /* ---- what is shown ---- */

  const words = state => {
    if (state.needs && state.mode !== 'waits') return state.changed ? 'changed since it was graded' : 'graded again since, to confirm';
    if (state.mode === 'hand') return `set by hand in the formgrader: ${number(state.points)}`;
    if (state.mode === 'rubric') return state.changed ? 'changed since it was graded' : 'graded';
    return state.by_test === null ? 'to grade' : state.needs ? 'to look at' : state.remark === 'No response.' ? 'no answer' : 'graded by its test';
  };

  const drawCard = key => {
    const state = stateOf(key), card = cardOf.get(key);
    card.classList.toggle('waits', state.needs && state.mode === 'waits');
    card.classList.toggle('look', state.changed || state.mode === 'hand' || (state.needs && state.mode !== 'waits'));
    card.querySelector('.state').textContent = words(state);
    const points = state.points ?? (state.needs ? null : state.by_test);
    card.querySelector('.points').textContent = (points === null ? '– of ' : `${number(points)} of `) + number(data.most) + (state.extra ? ` ${signed(state.extra)} extra` : '');
    const chosen = data.rubric.items.filter(item => state.items.includes(item.id)).map(item => make('p', `${item.label} (${signed(item.points)})`));
    if (state.adjustment) chosen.push(make('p', `Adjustment (${signed(state.adjustment)})`));
    if (state.comment) chosen.push(make('p', state.comment));
    card.querySelector('footer').replaceChildren(...(state.mode === 'waits' && !state.comment ? [] : chosen));
  };

  const drawItem = (item, place) => {
    const row = make('li');
    if (editing === item.id) {
      const form = make('form', '', { className: 'editing' });
      const label = make('input', '', { value: item.label, maxLength: 300 }), points = make('input', '', { value: exact(item.points), size: 5 });
      label.setAttribute('aria-label', 'Words of the item');
      points.setAttribute('aria-label', 'Points of the item');
      const remove = make('button', 'Delete', { type: 'button', className: 'quiet' });
      const cancel = make('button', 'Cancel', { type: 'button', className: 'quiet' });
      const buttons = make('div', '', { className: 'pair' });
      buttons.append(points, make('button', 'Save', { className: 'main' }), cancel, remove);
      form.append(label, buttons);
      const close = () => { editing = null; draw(); $('edit').open && document.querySelector(`[data-pen="${item.id}"]`)?.focus(); };
      form.addEventListener('submit', async event => {
        event.preventDefault();
        if (await changeRubric({ what: 'change', item: item.id, label: label.value, points: points.value })) close();
      });
      form.addEventListener('keydown', event => { if (event.key === 'Escape') { event.stopPropagation(); close(); } });
      cancel.addEventListener('click', close);
      remove.addEventListener('click', async () => {
        if (item.used && !remove.dataset.sure) {
          remove.dataset.sure = 'yes';
          remove.textContent = `Delete from ${some(item.used, 'answer', 'answers')}?`;
          return say(`${some(item.used, 'answer has', 'answers have')} this item. Press again to delete it and to recalculate; u brings it back.`);
        }
        editing = null;
        await changeRubric({ what: 'delete', ids: [item.id] });
      });
      row.append(form);
      setTimeout(() => { if (!form.contains(document.activeElement)) label.focus(); });
      return row;
    }
    const button = make('button', '', { type: 'button', className: 'row', disabled: !current });
    const name = make('span', item.label);
    if (item.used) name.append(make('small', ` · ${item.used}`, { title: some(item.used, 'answer has it', 'answers have it') }));
    button.append(make('kbd', place < 9 ? String(place + 1) : ' '), name, make('b', signed(item.points)));
    button.setAttribute('aria-pressed', String(Boolean(current) && stateOf(current).items.includes(item.id)));
    button.dataset.item = item.id;
    button.addEventListener('click', () => toggle(item.id));
    const pen = make('button', '✎', { type: 'button', className: 'pen quiet', title: 'Change or delete this item', hidden: !$('edit').open });
    pen.setAttribute('aria-label', `Change or delete: ${item.label}`);
    pen.dataset.pen = item.id;
    pen.addEventListener('click', () => { editing = item.id; drawPanel(); });
    row.append(button, pen);
    return row;
  };

  const drawPanel = () => {
    const state = current ? stateOf(current) : null, rubric = data.rubric;
    $('now').textContent = state ? `Answer ${cardOf.get(current).dataset.at}` : 'No answer is chosen';
    const points = state ? state.points ?? (state.needs ? null : state.by_test) : null;
    $('total').textContent = state ? `${points === null ? '–' : number(points)} of ${number(data.most)}` : '';
    const focus = document.activeElement?.dataset?.item;
    if (!editing || !document.querySelector('.editing')?.contains(document.activeElement)) $('items').replaceChildren(...rubric.items.map(drawItem));
    if (focus) document.querySelector(`[data-item="${focus}"]`)?.focus();
    $('none').disabled = !current;
    $('none').children[1].textContent = rubric.from_most ? 'Nothing to take off' : 'Nothing to give';
    $('none').children[2].textContent = number(rubric.from_most ? data.most : 0);
    for (const field of [$('adjustment'), $('comment')]) field.disabled = !current || (field === $('comment') && !state.commentable);
    if (document.activeElement !== $('adjustment')) $('adjustment').value = state && state.adjustment ? exact(state.adjustment) : '';
    if (document.activeElement !== $('comment') || (state && !drafts.has(current))) {
      const text = state ? commentOf(state) : '';
      if ($('comment').value !== text) $('comment').value = text;
    }
    $('comment').placeholder = state && !state.commentable ? 'nbgrader keeps no comment at a test' : '';
    const notes = [];
    const note = (text, label, act) => {
      const line = make('p', `${text} `, { className: 'notice' });
      if (label) { const button = make('button', label, { type: 'button' }); button.addEventListener('click', act); line.append(button); }
      notes.push(line);
    };
    const key = current;
    if (state && state.mode === 'hand') note(`The points were set by hand in the formgrader: ${number(state.points)}. They do not follow the rubric.`,
      ...(state.items.length || state.adjustment ? ['Use the rubric', () => useRubric(key)] : []));
    if (state && state.needs && state.mode !== 'waits') note(state.changed ? 'The answer changed since it was graded.' : 'It was graded again since you gave these points.',
      'Keep the points', () => confirmOne(key));
    if (state && state.sum !== null) note(`The items come to ${number(state.sum)}; points stay between 0 and ${number(data.most)}.`);
    $('notice').replaceChildren(...notes);
    for (const radio of document.querySelectorAll('[name=scoring]')) radio.checked = Boolean(Number(radio.value)) === rubric.from_most;
    $('points').placeholder = rubric.from_most ? '−0.5' : '+1';
    const offers = !rubric.items.length && data.proposed.length;
    $('proposal').hidden = !offers;
    if (offers && !$('proposal').childElementCount) {
      const list = make('ul');
      list.append(...data.proposed.map(item => make('li', `${item.label} (${signed(item.points)})`)));
      const use = make('button', 'Take these items', { type: 'button' });
      use.addEventListener('click', () => changeRubric({ what: 'add', items: data.proposed }));
      $('proposal').append(make('div', 'From the marking scheme:'), list, use);
    }
  };

  const draw = () => {
    shown.forEach(drawCard);
    drawPanel();
    $('counts').textContent = data.waiting ? `${data.waiting} of ${some(data.count, 'answer', 'answers')} to grade.` : `All ${some(data.count, 'answer is', 'answers are')} graded.`;
    $('progress').max = data.count || 1;
    $('progress').value = data.count - data.waiting;
    const again = shown.filter(key => stateOf(key).needs && stateOf(key).mode !== 'waits' && !stateOf(key).changed).length;
    $('again').hidden = !again;
    if (again) {
      const button = make('button', 'Keep the points of all whose text is the same', { type: 'button' });
      button.addEventListener('click', () => inTurn(async () => {
        const told = await ask({ action: 'confirm' });
        if (told) say(`${some(told.confirmed, 'answer keeps its', 'answers keep their')} points.`);
      }));
      $('again').replaceChildren(make('p', 'Some answers were graded again since you gave them points, for example after a change of a test.'), button);
    }
  };

  const look = async () => {
    if (document.hidden || !shown.length) return;
    try {
      const response = await fetch(`${place}/state?keys=${shown.join(',')}`);
      if (!response.ok) return;
      const told = await response.json();
      await inTurn(() => {
        const others = Object.entries(told.answers).filter(([key, state]) => state.seen !== stateOf(key).seen);
        const isOther = told.rubric.seen !== data.rubric.seen;
        if (others.length || isOther) take(told);
      });
    } catch { /* the next action says it */ }
  };

  /* ---- wiring ---- */

  for (const card of cards) {
    card.addEventListener('click', () => choose(card.dataset.key, false));
    card.addEventListener('focusin', () => choose(card.dataset.key, false));
    const body = card.querySelector('.body'), more = card.querySelector('.more');
    body.classList.add('cut');
    if (body.scrollHeight > body.clientHeight + 4) {
      more.hidden = false;
      more.addEventListener('click', () => { more.hidden = !body.classList.toggle('cut'); });
    } else body.classList.remove('cut');
    for (const link of body.querySelectorAll('a[href^="http"]')) link.target = '_blank';
  }
  $('none').addEventListener('click', noItem);
  $('next').addEventListener('click', () => void nextWaiting());
  $('undo').addEventListener('click', () => void undo());
  $('help').addEventListener('click', () => $('keys').showModal());
  $('adjustment').addEventListener('change', async event => { await adjust(event.target.value); drawPanel(); });
  $('comment').addEventListener('input', event => { if (current) drafts.set(current, event.target.value); });
  $('comment').addEventListener('blur', () => void keepComment());
  $('edit').addEventListener('toggle', () => { editing = null; drawPanel(); });
  $('add').addEventListener('submit', async event => {
    event.preventDefault();
    if (!(await changeRubric({ what: 'add', items: [{ label: $('label').value, points: $('points').value }] }))) return;
    $('label').value = $('points').value = '';
    $('label').focus();
  });
  for (const radio of document.querySelectorAll('[name=scoring]'))
    radio.addEventListener('change', async () => { await changeRubric({ what: 'scoring', from_most: radio.value === '1' }); drawPanel(); });

  const keys = {
    j: () => step(1), k: () => step(-1), n: () => void nextWaiting(), u: () => void undo(), c: () => $('comment').focus(), a: () => $('adjustment').focus(),
    e: () => { $('edit').open = true; $('label').focus(); }, '0': noItem, '?': () => $('keys').showModal() };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return;
    if (event.target.matches('input:not([type=radio]), textarea')) {
      if (event.key === 'Escape') { event.target.blur(); if (current) cardOf.get(current).focus({ preventScroll: true }); }
      return;
    }
    const item = /^[1-9]$/.test(event.key) && data.rubric.items[Number(event.key) - 1];
    const act = item ? () => toggle(item.id) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  addEventListener('beforeunload', event => { if ([...drafts].some(([key, text]) => text !== stateOf(key).comment)) event.preventDefault(); });
  document.addEventListener('visibilitychange', look);
  setInterval(look, 10000);

  $('edit').open = !data.rubric.items.length;
  if (shown.length) choose(shown.find(key => stateOf(key).needs) ?? shown[0], false);
  draw();
})();
