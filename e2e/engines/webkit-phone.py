#!/usr/bin/python3
"""A browser for the tests: WebKitGTK with a profile on disk, driven by WebKitWebDriver (the automation of its own MiniBrowser
forgets everything). WebDriver opens windows, presses keys and gives files; pages are loaded and scripts run from here, because
WebDriver loses a script whose page goes away under it. Arguments: the profile's folder, the address of its proxy, the socket on
which test and phone talk in lines of JSON: {"id", "do", ...} comes, {"id", "value" or "error"} and {"told"} go."""

import json
import socket
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

profile, proxy, address, room = sys.argv[1:5]
wire = socket.socket(socket.AF_UNIX)
wire.connect(address)

store = WebKit2.WebsiteDataManager(
    base_data_directory=profile + "/data",
    base_cache_directory=profile + "/cache",
    origin_storage_ratio=float(room),
)
store.set_network_proxy_settings(WebKit2.NetworkProxyMode.CUSTOM, WebKit2.NetworkProxySettings.new(proxy, None))
context = WebKit2.WebContext.new_with_website_data_manager(store)
context.set_preferred_languages(["en-NZ"])
context.set_automation_allowed(True)

pages = WebKit2.UserContentManager()
pages.register_script_message_handler("tellTest")


views = []
loading = {}


def say(**line):
    wire.sendall((json.dumps(line) + "\n").encode())


pages.connect(
    "script-message-received::tellTest", lambda _pages, message: say(told=message.get_js_value().to_string())
)


def preload(number, script):
    pages.remove_all_scripts()
    tell = "window.tellTest = (text) => window.webkit.messageHandlers.tellTest.postMessage(text);"
    frames = WebKit2.UserContentInjectedFrames.ALL_FRAMES
    start = WebKit2.UserScriptInjectionTime.START
    pages.add_script(WebKit2.UserScript.new(tell + "(" + script + ")();", frames, start, None, None))
    say(id=number, value=None)


def call(number, view, body):
    def done(view, result):
        try:
            say(id=number, value=view.call_async_javascript_function_finish(result).to_string())
        except GLib.Error as error:
            say(id=number, error=error.message)

    view.call_async_javascript_function(body, -1, None, None, None, None, done)


def load_changed(view, event):
    if event == WebKit2.LoadEvent.FINISHED and view in loading:
        say(id=loading.pop(view), value=None)


def load_failed(view, _event, address, error):
    # A load that another one has replaced is not the end of that.
    if not error.matches(WebKit2.NetworkError.quark(), WebKit2.NetworkError.CANCELLED) and view in loading:
        say(id=loading.pop(view), error=address + ": " + error.message)
    return False


def ended(view, why):
    if view in loading:
        say(id=loading.pop(view), error=f"The page's process has ended: {why}")


def obey(line):
    order = json.loads(line)
    number, what = order["id"], order["do"]
    if what == "preload":
        return preload(number, order["script"])
    view = views[order["view"]]
    if what == "call":
        return call(number, view, order["body"])
    loading[view] = number
    if what == "load":
        view.load_uri(order["address"])
    elif what == "back":
        view.go_back()
    elif what == "reload":
        view.reload()


heard = b""


def hear(_wire, _condition):
    global heard
    more = wire.recv(65536)
    if not more:
        Gtk.main_quit()
        return False
    *lines, heard = (heard + more).split(b"\n")
    for line in lines:
        try:
            obey(line)
        except Exception as error:  # A watch that throws is never called again.
            say(id=json.loads(line)["id"], error=repr(error))
    return True


GLib.io_add_watch(wire.fileno(), GLib.IO_IN | GLib.IO_HUP, hear)


def open_window(_session):
    view = WebKit2.WebView(web_context=context, user_content_manager=pages, is_controlled_by_automation=True)
    window = Gtk.Window(default_width=390, default_height=844)
    window.add(view)
    view.connect("close", lambda _view: window.destroy())
    view.connect("load-changed", load_changed)
    view.connect("load-failed", load_failed)
    view.connect("web-process-terminated", ended)
    views.append(view)
    window.show_all()
    return view


def start(_context, session):
    phone = WebKit2.ApplicationInfo()
    phone.set_name("phone")
    phone.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(phone)
    session.connect("create-web-view", open_window)


# The page asks for no transition between two views: without layers (webkit.ts) this engine's browser ends at the first one.
Gtk.Settings.get_default().set_property("gtk-enable-animations", False)
context.connect("automation-started", start)
Gtk.main()
