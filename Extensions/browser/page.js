// Finds the one form of a page that a person can see and sign in with, and fills it.
//
// It runs in the extension's own world of the top document: the page shares the elements, and none of
// these functions. A page names elements as it likes, and `document.querySelectorAll`, `form.action`,
// `form.parentElement` or `globalThis.keychainPage` may be such an element. So nothing here reads a
// property of a node: methods and getters are taken from the prototypes.
"use strict";

if (!Object.hasOwn(globalThis, "keychainPage")) {
    const value = keychainFunctions();
    Object.defineProperty(globalThis, "keychainPage", { value });
}

function keychainFunctions() {
    /** A function that calls a method of the prototype on its first argument. */
    const method = (type, name) => {
        const { value } = Object.getOwnPropertyDescriptor(type.prototype, name);
        return (object, ...words) => Reflect.apply(value, object, words);
    };
    const getter = (type, name) => {
        const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
        return (object) => Reflect.apply(get, object, []);
    };
    const setter = (type, name) => {
        const { set } = Object.getOwnPropertyDescriptor(type.prototype, name);
        return (object, value) => Reflect.apply(set, object, [value]);
    };

    const all = method(Document, "querySelectorAll");
    const topmost = method(Document, "elementFromPoint");
    const focused = getter(Document, "activeElement");
    const baseURI = getter(Node, "baseURI");
    const parent = getter(Node, "parentElement");
    const previous = getter(Element, "previousElementSibling");
    const compare = method(Node, "compareDocumentPosition");
    const dispatch = method(EventTarget, "dispatchEvent");
    const attribute = method(Element, "getAttribute");
    const matches = method(Element, "matches");
    const boxOf = method(Element, "getBoundingClientRect");
    const isShown = method(Element, "checkVisibility");
    const scroll = method(Element, "scrollIntoView");
    const focus = method(HTMLElement, "focus");
    const inputForm = getter(HTMLInputElement, "form");
    const buttonForm = getter(HTMLButtonElement, "form");
    const typeOf = getter(HTMLInputElement, "type");
    const isReadOnly = getter(HTMLInputElement, "readOnly");
    const valueOf = getter(HTMLInputElement, "value");
    const setValue = setter(HTMLInputElement, "value");

    const smallest = { width: 16, height: 8 };
    const leastOpacity = 0.3;
    const accountTypes = ["text", "email", "tel"];

    /** Whether this is the document that the browser told the extension of. */
    function isDocument(origin) {
        // A sandboxed document has the origin "null", whatever its address is.
        return window === window.top && window.origin === origin && location.origin === origin;
    }

    /** Whether a person sees the field and could type into it. */
    function isVisible(field) {
        if (isReadOnly(field) || matches(field, ":disabled")) return false;
        if (!isShown(field, { opacityProperty: true, visibilityProperty: true,
            contentVisibilityAuto: true })) return false;
        const box = boxOf(field);
        if (box.width < smallest.width || box.height < smallest.height) return false;
        let opacity = 1;
        // Ends at the root, or as soon as it is too little.
        for (let node = field; node && opacity >= leastOpacity; node = parent(node)) {
            opacity *= Number(getComputedStyle(node).opacity);
        }
        return opacity >= leastOpacity;
    }

    /** Whether the middle of a field, once it is in view, is the field and nothing that covers it. */
    function isOnTop(field) {
        if (!isInView(field)) scroll(field, { block: "center", behavior: "instant" });
        const box = boxOf(field);
        const x = box.left + box.width / 2;
        const y = box.top + box.height / 2;
        return topmost(document, x, y) === field;
    }

    function isInView(field) {
        const box = boxOf(field);
        return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    }

    /** Names one element for a style sheet: its place among its siblings, all the way up. */
    function selector(element) {
        const steps = [];
        for (let node = element; node; node = parent(node)) {
            let index = 1;
            for (let other = previous(node); other; other = previous(other)) index += 1;
            steps.unshift(parent(node) ? `:nth-child(${index})` : ":root");
        }
        return steps.join(" > ");
    }

    /** Where a field is in a picture of the page, in parts of the picture's width and height. */
    function place(field) {
        const box = boxOf(field);
        const { offsetLeft, offsetTop, scale } = visualViewport;
        const [width, height] = [innerWidth / scale, innerHeight / scale];
        return { selector: selector(field), left: (box.left - offsetLeft) / width,
            top: (box.top - offsetTop) / height, width: box.width / width,
            height: box.height / height };
    }

    /** Waits until the browser has painted what changed, or half a second. */
    function painted() {
        const frames = new Promise((resolve) =>
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))));
        return Promise.race([frames, new Promise((resolve) => setTimeout(resolve, 500, false))]);
    }

    /** What the page says a field is for. */
    function purposes(field) {
        return (attribute(field, "autocomplete") ?? "").toLowerCase().split(/\s+/);
    }

    /** The form of a field or button; null for none and for other elements. */
    function formOf(element) {
        if (element instanceof HTMLInputElement) return inputForm(element);
        return element instanceof HTMLButtonElement ? buttonForm(element) : null;
    }

    /** Whether what the form sends would leave an https page without encryption. */
    function sendsInTheClear(password) {
        const form = inputForm(password);
        if (location.protocol !== "https:" || !form) return false;
        const targets = [attribute(form, "action")];
        for (const button of all(document, "[formaction]")) {
            if (formOf(button) === form) targets.push(attribute(button, "formaction"));
        }
        const base = baseURI(password);
        return targets.some((target) => target && URL.canParse(target, base)
            && new URL(target, base).protocol === "http:");
    }

    /** The password field of a form: the only one, or the one for the present password. */
    function passwordField(fields) {
        const others = ["new-password", "one-time-code", "cc-csc", "cc-number"];
        const candidates = fields.filter((field) =>
            typeOf(field) === "password" && isVisible(field)
            && !purposes(field).some((purpose) => others.includes(purpose)));
        const present = candidates.find((field) => purposes(field).includes("current-password"));
        if (present) return present;
        const isNew = fields.some((field) => purposes(field).includes("new-password"));
        return candidates.length === 1 && !isNew ? candidates[0] : null;
    }

    /** The field for the account's name: the one that says so, or the one before the password. */
    function accountField(fields, password) {
        const candidates = fields.filter((field) =>
            accountTypes.includes(typeOf(field)) && isVisible(field));
        const before = candidates.filter((field) =>
            compare(field, password) & Node.DOCUMENT_POSITION_FOLLOWING);
        return candidates.find((field) => purposes(field).includes("username"))
            ?? before.findLast((field) =>
                typeOf(field) === "email" || purposes(field).includes("email"))
            ?? before.at(-1) ?? null;
    }

    /** The form to fill, or why there is none. */
    function find() {
        const forms = new Map();
        for (const field of all(document, "input")) {
            // An element of another namespace may have this name, too.
            if (!(field instanceof HTMLInputElement)) continue;
            const form = inputForm(field);
            if (!forms.has(form)) forms.set(form, []);
            forms.get(form).push(field);
        }
        const active = focused(document);
        const first = active instanceof HTMLInputElement ? inputForm(active) : undefined;
        const ordered = [...forms].sort(([left], [right]) =>
            Number(right === first) - Number(left === first));
        let reason = "This page has no sign-in form that can be seen";
        for (const [, fields] of ordered) {
            const password = passwordField(fields);
            if (!password) continue;
            if (sendsInTheClear(password)) {
                reason = "The form would send the password without encryption";
            } else if (!isOnTop(password)) {
                reason = "Something covers the password field";
            } else {
                return { password, account: accountField(fields, password) };
            }
        }
        return { reason };
    }

    function look(origin) {
        if (!isDocument(origin)) {
            const reason = "The browser does not let the extension into this page";
            return { isUsable: false, reason };
        }
        const { password, account, reason } = find();
        if (!password) return { isUsable: false, reason };
        return { isUsable: true, account: account ? valueOf(account) : "",
            isFilled: valueOf(password) !== "",
            places: [place(password), ...(account ? [place(account)] : [])] };
    }

    function fill(origin, name, secret, fillsAccount) {
        if (!isDocument(origin)) return { isFilled: false, reason: "The page changed" };
        const { password, account, reason } = find();
        if (!password) return { isFilled: false, reason };
        if (account && fillsAccount && name !== "") set(account, name);
        set(password, secret);
        return { isFilled: true };
    }

    function set(field, text) {
        focus(field, { preventScroll: true });
        setValue(field, text);
        for (const name of ["input", "change"]) {
            dispatch(field, new Event(name, { bubbles: true }));
        }
    }

    return { look, painted, fill };
}
