// Runs when a person clicks the toolbar button or presses its key, and never otherwise. The browser
// then lets the extension into that one tab (`activeTab`); it has no right to any other page.
//
// Laws: (1) Where a password goes is what the browser says of the tab (`tab.url`) and of its document
// (`location` in the extension's own world), never a word of the page.
// (2) A field is filled in only if a person can see it: a change of its colour changes the picture of
// the page. No list of styles could say that: opacity, filters, masks, clips and covers all change
// what is painted.
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
    const [isPasswordSeen, isAccountSeen = false] = await seen(tab, top, form.places);
    if (!isPasswordSeen) {
        return { mark: "!", words: "The password field cannot be seen, so nothing was filled in" };
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
        func: (origin, account, password, fillsAccount) =>
            globalThis.keychainPage?.fill(origin, account, password, fillsAccount),
        args: [page.origin, answer.account, answer.password, isAccountSeen],
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

/** How much lighter or darker a pixel is at least that has another colour: 0 to 255. */
const leastChange = 48;
/** The part of a field's pixels that must follow a change of its colour. */
const leastPart = 0.6;

/**
 * Says of each place whether a person can see the field there: something stands out from the ground,
 * and most pixels follow when the field's colour changes.
 *
 * The style comes from the extension: no element and no attribute changes, so that no style sheet of
 * the page can take a cover away meanwhile. The fields look as before when this returns.
 */
async function seen(tab, target, places) {
    await isPainted(target);
    const before = await picture(tab);
    const boxes = places.map((place) => part(before, place, 0.15));
    const css = places.map(({ selector }, index) => {
        const colour = average(boxes[index]) < 128 ? "white" : "black";
        return `${selector} { background: ${colour} !important; appearance: none !important;
            box-shadow: inset 0 0 0 100vmax ${colour} !important; }`;
    }).join("\n");
    // Neither the change nor the way back is a transition of the page.
    const still = { target, origin: "USER", css: places.map(({ selector }) =>
        `${selector} { transition: none !important; animation: none !important; }`).join("\n") };
    const style = { target, origin: "USER", css };
    await api.scripting.insertCSS(still);
    await api.scripting.insertCSS(style);
    try {
        await isPainted(target);
        const after = await picture(tab);
        return places.map((place, index) => standsOut(before, place)
            && follows(boxes[index], part(after, place, 0.15)));
    } finally {
        await api.scripting.removeCSS(style);
        await isPainted(target);
        await api.scripting.removeCSS(still);
    }
}

/** Waits until the page has painted what changed. */
async function isPainted(target) {
    await api.scripting.executeScript({ target, func: () => globalThis.keychainPage.painted() });
}

/** The pixels of what the tab shows. The browser takes two pictures a second. */
async function picture(tab) {
    for (let tries = 0; ; tries += 1) {
        try {
            const url = await api.tabs.captureVisibleTab(tab.windowId, { format: "png" });
            const bitmap = await createImageBitmap(await (await fetch(url)).blob());
            const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
            context.drawImage(bitmap, 0, 0);
            return context.getImageData(0, 0, bitmap.width, bitmap.height);
        } catch (error) {
            if (tries === 4) throw error;
            await new Promise((resolve) => setTimeout(resolve, 400));
        }
    }
}

/**
 * How light the pixels of a place are, 0 to 255, row by row; `inset` is the part of its width and
 * height that is left out on each side, or added if it is negative.
 */
function part({ data, width, height }, place, inset) {
    const columns = range(place.left, place.width, width, inset);
    const rows = range(place.top, place.height, height, inset);
    const values = [];
    for (let y = rows.first; y < rows.last; y += 1) {
        for (let x = columns.first; x < columns.last; x += 1) {
            const start = 4 * (y * width + x);
            values.push(0.3 * data[start] + 0.6 * data[start + 1] + 0.1 * data[start + 2]);
        }
    }
    return { values, width: columns.last - columns.first };
}

function range(start, length, size, inset) {
    return { first: Math.max(0, Math.round((start + inset * length) * size)),
        last: Math.min(size, Math.round((start + (1 - inset) * length) * size)) };
}

function average({ values }) {
    return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Whether most pixels have changed. */
function follows(before, after) {
    const changed = before.values.filter((value, index) =>
        Math.abs(value - after.values[index]) >= leastChange);
    return before.values.length > 0 && changed.length >= leastPart * before.values.length;
}

/** Whether a field and its border are anything but one even colour with what is around them. */
function standsOut(image, place) {
    const { values, width } = part(image, place, -0.1);
    const ground = values.toSorted((left, right) => left - right)[values.length >> 1];
    return values.filter((value) => Math.abs(value - ground) >= 12).length >= width / 4;
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
