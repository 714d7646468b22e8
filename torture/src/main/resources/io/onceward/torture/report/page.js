(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const holder = document.getElementById('chart');
  const tip = document.getElementById('tip');
  const step = data.stretchMillis;
  const begin = data.fromMillis;
  const count = data.executed.length;
  const lastBar = data.bars.reduce((latest, bar) => Math.max(latest, bar[2]), 0);
  const firstBar = data.bars.reduce((earliest, bar) => Math.min(earliest, bar[1]), Infinity);
  const from = Math.min(begin, firstBar);
  const until = Math.max(begin + count * step, lastBar, from + 1000);
  const laneHeight = 20;
  const lanesTop = 8;
  const lanesHeight = Math.max(1, data.lanes.length) * laneHeight;
  const ratesTop = lanesTop + lanesHeight + 34;
  const waitsTop = ratesTop + 200 + 34;
  const height = waitsTop + 200 + 66;
  const right = 22;

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const clock = millis => Math.floor(millis / 60000) + ':' + String(Math.floor(millis / 1000) % 60).padStart(2, '0');
  const finely = millis => clock(millis) + '.' + Math.floor(millis / 100) % 10;
  const grouped = number => Math.round(number).toLocaleString('en');
  const short = number => number >= 1000 ? +(number / 1000).toFixed(1) + 'k' : String(number);
  const wait = millis => millis == null ? '–'
    : millis < 1 ? +millis.toPrecision(2) + ' ms'
    : millis < 1000 ? +millis.toPrecision(3) + ' ms' : +(millis / 1000).toPrecision(3) + ' s';

  const perSecond = counts => counts.map((each, i) => [begin + (i + 0.5) * step, each * 1000 / step]);
  const millis = micros => micros.map((each, i) => [begin + (i + 0.5) * step, each == null ? null : Math.max(each, 1) / 1000]);

  const decade = (value, up) => Math.pow(10, (up ? Math.ceil : Math.floor)(Math.log10(value)));
  const heard = data.max.filter(each => each != null).map(each => Math.max(each, 1) / 1000);
  const quickest = data.p50.filter(each => each != null).map(each => Math.max(each, 1) / 1000)
    .reduce((least, each) => Math.min(least, each), Infinity);
  const slowest = heard.reduce((most, each) => Math.max(most, each), 0);

  const chart = echarts.init(holder, null, {renderer: 'canvas', height});
  let zoom = {start: 0, end: 100};
  const visible = () => [from + (until - from) * zoom.start / 100, from + (until - from) * zoom.end / 100];
  const gutter = () => holder.clientWidth < 1000 ? 240 : 310;

  function bar(params, api) {
    const lane = api.value(0);
    const start = api.coord([api.value(1), lane]);
    const end = api.coord([api.value(2), lane]);
    const area = params.coordSys;
    // However short it was, it is seen.
    const shape = echarts.graphic.clipRectByRect(
      {x: start[0], y: start[1] - laneHeight / 2 + 3, width: Math.max(2.5, end[0] - start[0]), height: laneHeight - 6},
      {x: area.x, y: area.y, width: area.width, height: area.height});
    return shape && {type: 'rect', shape: {...shape, r: 2}, style: {fill: colour(data.lanes[lane].group), opacity: 0.9}};
  }

  function draw() {
    const left = gutter();
    const ink = colour('ink');
    const faint = colour('faint');
    const line = colour('line');
    const text = {color: ink, fontFamily: 'system-ui, sans-serif', fontSize: 12};
    // Of type time for its ticks, and since areas of two numbers would be stacked sideways.
    const timeAxis = gridIndex => ({
      gridIndex, type: 'time', min: from, max: until,
      axisLine: {lineStyle: {color: line}, onZero: false}, axisTick: {lineStyle: {color: line}},
      splitLine: {show: true, lineStyle: {color: line, opacity: 0.6}},
      axisLabel: {...text, color: faint, hideOverlap: true, formatter: value => value % 1000 ? finely(value) : clock(value)},
      axisPointer: {show: true, snap: false, triggerTooltip: false, lineStyle: {color: faint, type: 'solid'}, label: {show: false}}
    });
    const area = (name, key, values) => ({
      name, type: 'line', stack: 'answers', xAxisIndex: 1, yAxisIndex: 1, data: perSecond(values), showSymbol: false, silent: true,
      lineStyle: {width: 0}, itemStyle: {color: colour(key)}, areaStyle: {color: colour(key), opacity: 0.9}, emphasis: {disabled: true}
    });
    const curve = (name, key, values, width) => ({
      name, type: 'line', xAxisIndex: 2, yAxisIndex: 2, data: millis(values), connectNulls: false, silent: true,
      symbol: 'circle', symbolSize: width + 1, showSymbol: true, showAllSymbol: true,
      lineStyle: {width, color: colour(key)}, itemStyle: {color: colour(key), borderWidth: 0}, emphasis: {disabled: true}
    });
    const heading = (words, unit, top) => ({
      text: words, subtext: unit, left: 0, top, padding: 0, itemGap: 5,
      textStyle: {...text, fontSize: 13, fontWeight: 600}, subtextStyle: {...text, color: faint}
    });
    const keys = (names, top) => ({
      data: names, orient: 'vertical', left: 0, top, padding: 0, itemGap: 5, itemWidth: 14, itemHeight: 9,
      textStyle: text, inactiveColor: line, icon: 'roundRect'
    });
    chart.setOption({
      animation: false,
      useUTC: true,
      textStyle: text,
      title: [heading('Answers', 'a second', ratesTop), heading('Waits for an answer', 'by when it came', waitsTop)],
      legend: [keys(['executed', 'replayed', 'refused', 'unknown', 'queries'], ratesTop + 46),
        keys(['p50', 'p99', 'longest'], waitsTop + 46)],
      axisPointer: {link: [{xAxisIndex: 'all'}]},
      grid: [
        {left, right, top: lanesTop, height: lanesHeight},
        {left, right, top: ratesTop, height: 200},
        {left, right, top: waitsTop, height: 200}],
      xAxis: [timeAxis(0), timeAxis(1), timeAxis(2)],
      yAxis: [
        {gridIndex: 0, type: 'category', inverse: true, data: data.lanes.map(lane => lane.kind), axisTick: {show: false},
          axisLine: {lineStyle: {color: line}}, splitLine: {show: true, lineStyle: {color: line, opacity: 0.5}},
          axisLabel: {...text, interval: 0, width: left - 14, overflow: 'truncate',
            formatter: (kind, i) => kind + '  ' + data.lanes[i].count}},
        {gridIndex: 1, type: 'value', axisLabel: {...text, color: faint, formatter: short}, splitNumber: 4,
          splitLine: {lineStyle: {color: line, opacity: 0.6}}},
        {gridIndex: 2, type: 'log', logBase: 10, min: isFinite(quickest) ? decade(quickest, false) : 0.1,
          max: slowest > 0 ? decade(slowest, true) : 1000, axisLabel: {...text, color: faint, formatter: wait},
          splitLine: {lineStyle: {color: line, opacity: 0.6}}}],
      dataZoom: [{
        type: 'slider', xAxisIndex: [0, 1, 2], filterMode: 'none', bottom: 6, height: 22, left, right, start: zoom.start, end: zoom.end,
        showDataShadow: false, brushSelect: true, borderColor: line, fillerColor: faint + '22', backgroundColor: 'transparent',
        handleStyle: {color: colour('raised'), borderColor: faint}, moveHandleStyle: {color: line},
        textStyle: {...text, color: faint}, labelFormatter: clock
      }],
      series: [
        {type: 'custom', xAxisIndex: 0, yAxisIndex: 0, renderItem: bar, data: data.bars.map(each => each.slice(0, 3)),
          encode: {x: [1, 2], y: 0}, clip: true, silent: true},
        area('executed', 'executed', data.executed),
        area('replayed', 'replayed', data.replayed),
        area('refused', 'refused', data.refused),
        area('unknown', 'unknown', data.unknown),
        {name: 'queries', type: 'line', xAxisIndex: 1, yAxisIndex: 1, data: perSecond(data.queries), showSymbol: false, silent: true,
          lineStyle: {width: 1.3, color: colour('queries'), type: [4, 3]}, itemStyle: {color: colour('queries')}, emphasis: {disabled: true}},
        curve('longest', 'max', data.max, 1),
        curve('p99', 'p99', data.p99, 1.6),
        curve('p50', 'p50', data.p50, 1.6)]
    }, true);
  }

  function element(name, text, parent) {
    const made = document.createElement(name);
    made.textContent = text;
    parent.append(made);
    return made;
  }

  /** Tells what happens at a moment; texts are only ever set as text. */
  function tell(x, y) {
    const time = chart.convertFromPixel({xAxisIndex: 0}, x);
    const range = visible();
    if (x < gutter() || !(time >= range[0] && time <= range[1]) || y > waitsTop + 200) {
      tip.hidden = true;
      return;
    }
    tip.replaceChildren();
    element('b', finely(time), tip);
    const slack = 3 * (range[1] - range[0]) / Math.max(1, holder.clientWidth - gutter());
    for (const [lane, start, end, what] of data.bars) {
      if (time >= start - slack && time <= end + slack) {
        const line = element('div', '', tip);
        line.className = 'here';
        line.style.borderColor = colour(data.lanes[lane].group);
        element('b', data.lanes[lane].kind, line);
        line.append(': ' + what + ', from ' + finely(start) + ' for ' + wait(end - start));
      }
    }
    const at = Math.floor((time - begin) / step);
    if (at >= 0 && at < count) {
      const table = element('table', '', tip);
      const row = (name, value) => {
        const made = element('tr', '', table);
        element('td', name, made);
        element('td', value, made).className = 'number';
      };
      for (const name of ['executed', 'replayed', 'refused', 'unknown', 'queries']) {
        row(name, grouped(data[name][at] * 1000 / step) + ' a second');
      }
      const inMillis = micros => micros == null ? null : micros / 1000;
      row('p50', wait(inMillis(data.p50[at])));
      row('p99', wait(inMillis(data.p99[at])));
      row('longest', wait(inMillis(data.max[at])));
    }
    tip.hidden = false;
    const beside = x + 18 + tip.offsetWidth < holder.clientWidth ? x + 18 : x - 18 - tip.offsetWidth;
    tip.style.left = Math.max(0, beside) + 'px';
    tip.style.top = Math.max(0, Math.min(y + 12, height - tip.offsetHeight)) + 'px';
  }

  draw();
  chart.getZr().on('mousemove', event => tell(event.offsetX, event.offsetY));
  chart.getZr().on('globalout', () => { tip.hidden = true; });
  chart.on('datazoom', event => {
    const now = event.batch ? event.batch[0] : event;
    zoom = {start: now.start, end: now.end};
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  new ResizeObserver(() => {
    chart.resize({height});
    draw();
  }).observe(holder);

  document.getElementById('copy').addEventListener('click', event => {
    const command = document.getElementById('command');
    const said = words => { event.target.textContent = words; };
    const select = () => {
      getSelection().selectAllChildren(command);
      said(document.execCommand('copy') ? 'copied' : 'selected');
    };
    // A page from a file may not have a clipboard.
    if (navigator.clipboard) {
      navigator.clipboard.writeText(command.textContent).then(() => said('copied'), select);
    } else {
      select();
    }
  });
})();
