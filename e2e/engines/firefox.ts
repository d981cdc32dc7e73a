import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustFind } from '../../scripts/find-engines.ts';
import { openBidi, type Bidi } from './bidi.ts';
import { believe, type Browser, type Launch, type TabDriver } from './driver.ts';
import { endGroup } from './end-group.ts';
import { giveCompiled, keepCompiled } from './firefox-compiled.ts';

/** Its push service is at this address, and a page that asks to show notifications may. */
const pushPreferences = (address: string) => ({
  'dom.push.enabled': true,
  'dom.push.connection.enabled': true,
  'dom.push.alwaysConnect': true,
  'dom.push.serverURL': address,
  'dom.push.testing.allowInsecureServerURL': true,
  // How soon it tries again after the signal was gone, in ms.
  'dom.push.retryBaseInterval': 200,
  // Headless, the question has no answer.
  'permissions.default.desktop-notification': 1,
  // Firefox draws notifications itself: there is no desktop here, and showing one would fail.
  'alerts.useSystemBackend': false,
});

/** Firefox as a person has it, but without a window, and without calling its maker. */
function preferences({ proxyPort, pushService, room }: Launch): string {
  const wanted = {
    ...(pushService === undefined ? {} : pushPreferences(pushService)),
    ...(room === undefined ? {} : { 'dom.quotaManager.temporaryStorage.fixedLimit': Math.ceil(room / 1_024) }),
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': proxyPort,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': proxyPort,
    'network.proxy.no_proxies_on': '',
    'network.proxy.allow_hijacking_localhost': true,
    'intl.accept_languages': 'en-NZ',
    // After a kill it would otherwise ask, or open the pages of before by itself.
    'browser.sessionstore.resume_from_crash': false,
    'toolkit.startup.max_resumed_crashes': -1,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.normandy.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'extensions.update.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'toolkit.telemetry.unified': false,
    'browser.topsites.contile.enabled': false,
    'browser.region.network.url': '',
    // What a start would make ahead of need, in processes of its own: a fifth of it.
    'dom.ipc.processPrelaunch.enabled': false,
    'browser.newtab.preload': false,
    'browser.newtabpage.enabled': false,
    'browser.startup.homepage_override.mstone': 'ignore',
    // Its own add-ons in the process of the windows, and none ahead of need for sounds and pictures: a seventh of it.
    'extensions.webextensions.remote': false,
    'media.rdd-process.enabled': false,
    'media.utility-process.enabled': false,
    // As in WebKit: nothing here looks at a movement, and each is drawn by the processor.
    'ui.prefersReducedMotion': 1,
    // Drawn without a graphics card, by the processor, at the most as often as this in a second: no test looks at what
    // is drawn.
    'layout.frame_rate': 15,
    // No page lives long enough here for what compiles its code a third time, better, to pay.
    'javascript.options.ion': false,
    // What it does for a person and its maker beside showing pages: a sixth of a start.
    'datareporting.healthreport.uploadEnabled': false,
    'toolkit.telemetry.enabled': false,
    'messaging-system.rsexperimentloader.enabled': false,
    'identity.fxa.enabled': false,
    'extensions.blocklist.enabled': false,
    'extensions.installDistroAddons': false,
    'extensions.screenshots.disabled': true,
    'extensions.formautofill.addresses.enabled': false,
    'extensions.formautofill.creditCards.enabled': false,
    'signon.rememberSignons': false,
    'browser.formfill.enable': false,
    'browser.translations.enable': false,
    'browser.ml.enable': false,
    'browser.aboutwelcome.enabled': false,
    'browser.backup.enabled': false,
    'browser.search.update': false,
    'browser.chrome.site_icons': false,
    'browser.pagethumbnails.capturing_disabled': true,
    'browser.sessionstore.interval': 600_000,
    'places.history.enabled': false,
    'media.gmp-manager.updateEnabled': false,
    'extensions.webcompat.enable_interventions': false,
    'extensions.webcompat.enable_shims': false,
    'browser.search.serpEventTelemetryCategorization.enabled': false,
    'browser.urlbar.quicksuggest.enabled': false,
    'extensions.getAddons.cache.enabled': false,
  };
  return Object.entries(wanted)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

/** Any page with something in it: on an empty one the address bar has the focus, and no field in the page gets it. */
const startPage = 'data:text/html,Dwang';

/** Where it listens, as it says itself once it does. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve(`${address}/session`);
    });
    child.once('exit', () => reject(new Error(`Firefox did not start:\n${printed}`)));
  });
}

interface Node {
  sharedId: string;
}

/**
 * A page that goes somewhere itself in that moment ends the navigation that was asked for: an address that a person
 * types wins at the second try.
 */
async function navigate(bidi: Bidi, context: string, url: string): Promise<void> {
  const go = () => bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
  try {
    await go();
  } catch (error) {
    if (!String(error).includes('NS_BINDING_ABORTED')) throw error;
    await go();
  }
}

function drive(bidi: Bidi, context: string, logged: readonly string[]): TabDriver {
  const call = async (source: string, given: readonly string[]) =>
    bidi.callFunction<{ value: string }>(context, source, given);
  const act = async (type: 'key' | 'pointer', actions: readonly object[]) => {
    // Of several windows the one that was opened last has the focus, and a field in another would lose it while it is
    // typed in.
    await bidi.send('browsingContext.activate', { context });
    await bidi.send('input.performActions', {
      context,
      actions: [{ type, id: type, ...(type === 'pointer' ? { parameters: { pointerType: 'mouse' } } : {}), actions }],
    });
  };
  return {
    patience: 2_000,
    logged: () => logged,
    goto: (url) => navigate(bidi, context, url),
    goBack: async () => void (await bidi.send('browsingContext.traverseHistory', { context, delta: -1 })),
    reload: async () => void (await bidi.send('browsingContext.reload', { context, wait: 'complete' })),
    call: async (source, given) => (await call(source, given)).value,
    clickAt: (x, y) =>
      act('pointer', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: async (keys, how) => {
      const [down, up] = (['keyDown', 'keyUp'] as const).map((type) => keys.map((value) => ({ type, value })));
      const turns = keys.flatMap((_, at) => [down?.[at], up?.[at]]);
      await act('key', (how === 'in-turn' ? turns : [...(down ?? []), ...(up ?? []).toReversed()]) as object[]);
    },
    giveFiles: async (source, given, files) => {
      const element = await bidi.callFunction<Node>(context, source, given);
      await bidi.send('input.setFiles', { context, element: { sharedId: element.sharedId }, files });
    },
    close: async () => void (await bidi.send('browsingContext.close', { context })),
  };
}

/** Starts Firefox on this profile and drives it by WebDriver BiDi. */
export async function startFirefox(launch: Launch): Promise<Browser> {
  const { profile, isOnline } = launch;
  const binary = mustFind('firefox');
  await writeFile(join(profile, 'user.js'), preferences(launch));
  await giveCompiled(binary, profile);
  const child = spawn(
    binary,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', startPage],
    // A group of its own, so that a kill reaches all of its processes.
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        TZ: 'Pacific/Auckland',
        MOZ_CRASHREPORTER_DISABLE: '1',
        // Little more than the page of a phone: what is drawn is drawn by the processor.
        MOZ_HEADLESS_WIDTH: '460',
        MOZ_HEADLESS_HEIGHT: '940',
      },
    },
  );
  const bidi = await openBidi(await addressOf(child));
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['script.message', 'log.entryAdded'] });
  const logged: string[] = [];
  bidi.on('log.entryAdded', ({ level, text }: { level: string; text: string | null }) => {
    if (level === 'error') logged.push(text ?? '');
  });
  const told = { type: 'channel', value: { channel: 'told' } };
  await bidi.send('script.addPreloadScript', {
    functionDeclaration: '(tell) => { window.tellTest = tell; }',
    arguments: [told],
  });
  let online: { script: string } | undefined;
  const contexts = async () =>
    (await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', { maxDepth: 0 })).contexts.map(
      ({ context }) => context,
    );
  const setOnline = async (now: boolean) => {
    if (online !== undefined) await bidi.send('script.removePreloadScript', online);
    online = await bidi.send('script.addPreloadScript', { functionDeclaration: believe(now) });
    for (const context of await contexts()) await bidi.callFunction(context, believe(now), []);
  };
  await setOnline(isOnline);
  const prepare = async (context: string) => {
    await bidi.send('browsingContext.setViewport', { context, viewport: { width: 390, height: 844 } });
    return drive(bidi, context, logged);
  };
  // A window, because a tab behind another one would count as hidden.
  const openTab = async () => {
    const created = await bidi.send<{ context: string }>('browsingContext.create', { type: 'window' });
    return prepare(created.context);
  };
  const [atStart] = await contexts();
  if (atStart === undefined) throw new Error('Firefox started without a window.');
  const firstTab = await prepare(atStart);
  const end = async () => {
    await endGroup(child);
    await keepCompiled(binary, profile);
  };
  return {
    firstTab,
    openTab,
    setOnline,
    onTold: (hear) =>
      bidi.on('script.message', ({ channel, data }: { channel: string; data: { value: string } }) => {
        if (channel === 'told') hear(data.value);
      }),
    kill: end,
    close: async () => {
      bidi.close();
      await end();
    },
  };
}
