// Runs when a person clicks the toolbar button or presses its key, and never otherwise. The browser
// then lets the extension into that one tab (`activeTab`); it has no right to any other page.
//
// Law: where a password goes is what the browser says of the tab (`tab.url`) and of its document
// (`location` in the extension's own world), never a word of the page.
"use strict";

const api = globalThis.browser ?? chrome;
const hostName = "org.swift_keychain.browser";
const version = 1;

/** Tabs in which a click is being answered; another click there does nothing. */
const busy = new Set();

/** Tabs in which the last click found a password of another host: the page's origin, the item. */
const offered = new Map();

api.action.onClicked.addListener(async (tab) => {
    if (busy.has(tab.id)) return;
    busy.add(tab.id);
    try {
        await show(tab.id, await fill(tab));
    } catch (error) {
        await show(tab.id, { mark: "!", words: `Nothing was filled in: ${error.message}` });
    } finally {
        busy.delete(tab.id);
    }
});

/** Answers one click; returns what to show the person. */
async function fill(tab) {
    const page = webPage(tab.url);
    if (!page) return { mark: "!", words: "Only pages of http and https have sign-in forms" };

    const top = { tabId: tab.id, frameIds: [0] };
    if (!await enter(top)) {
        return { mark: "!", words: "The browser does not let the extension into this page" };
    }
    const [found] = await api.scripting.executeScript({
        target: top,
        func: (origin) => globalThis.keychainPage.look(origin),
        args: [page.origin],
    });
    const form = found.result;
    if (!form?.isUsable) {
        return { mark: "!", words: form?.reason ?? "The page cannot be looked at" };
    }

    const offer = offered.get(tab.id);
    offered.delete(tab.id);
    const answer = await ask({
        version,
        request: "fill",
        url: page.origin + page.pathname,
        account: form.account,
        next: form.isFilled,
        ...(offer?.origin === page.origin ? { accepts: offer.item } : {}),
    });
    if (answer?.answer === "offer") {
        const { server, account } = answer;
        offered.set(tab.id, { origin: page.origin, item: { server, account } });
        const name = account === "" ? "The password" : `The password of ${account}`;
        const words = `${name} is for ${server}, and this page is of ${page.host}; `
            + "click again to fill it in";
        return { mark: "?", words };
    }
    if (answer?.answer !== "credential") {
        return { mark: "–", words: answer?.reason ?? "The keychain gave no answer" };
    }

    // The document that was looked at, where the browser can name it; its origin is compared again
    // inside, because the tab may have gone elsewhere while the person was prompted.
    const document = found.documentId
        ? { tabId: tab.id, documentIds: [found.documentId] }
        : top;
    const current = webPage((await api.tabs.get(tab.id)).url);
    if (current?.origin !== page.origin) {
        return { mark: "!", words: "The page changed, so nothing was filled in" };
    }
    const [done] = await api.scripting.executeScript({
        target: document,
        func: (origin, account, password) =>
            globalThis.keychainPage?.fill(origin, account, password),
        args: [page.origin, answer.account, answer.password],
    });
    if (!done.result?.isFilled) {
        const words = done.result?.reason ?? "The page changed, so nothing was filled in";
        return { mark: "!", words };
    }
    const name = answer.account === "" ? "the account without a name" : answer.account;
    const more = answer.count > 1 ? `; click again for the next of ${answer.count} accounts` : "";
    return { mark: "✓", words: `Filled in the password of ${name}${more}` };
}

/**
 * Puts the extension's functions into the document. Chromium tells the page's process of the click by
 * another way than it sends the script, so the first try may come too early.
 */
async function enter(target) {
    for (const pause of [0, 150, 600]) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        try {
            await api.scripting.executeScript({ target, files: ["page.js"] });
            return true;
        } catch {
            continue;
        }
    }
    return false;
}

/** The URL of a page that can have a password; null for any other. */
function webPage(text) {
    if (!text || !URL.canParse(text)) return null;
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url : null;
}

/** Sends one message to the keychain and waits for its answer, however long a prompt takes. */
function ask(message) {
    return new Promise((resolve, reject) => {
        const port = api.runtime.connectNative(hostName);
        port.onMessage.addListener((answer) => {
            resolve(answer);
            port.disconnect();
        });
        port.onDisconnect.addListener(() => {
            const error = port.error ?? api.runtime.lastError;
            reject(new Error(error?.message ?? "keychain-browser ended without an answer"));
        });
        port.postMessage(message);
    });
}

api.tabs.onRemoved.addListener((tabId) => offered.delete(tabId));

async function show(tabId, { mark, words }) {
    try {
        await api.action.setTitle({ tabId, title: words });
        await api.action.setBadgeText({ tabId, text: mark });
    } catch {
        // The tab was closed.
    }
}
