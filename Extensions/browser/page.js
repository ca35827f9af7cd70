// Finds the one form of a page that a person can see and sign in with, and fills it.
//
// It runs in the extension's own world of the top document: the page shares the elements, and none of
// these functions. A page names elements as it likes, and `document.querySelectorAll` or `form.action`
// may be such an element; so methods are taken from the prototypes.
"use strict";

globalThis.keychainPage ??= (() => {
    const query = Document.prototype.querySelectorAll;
    const attribute = Element.prototype.getAttribute;
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;

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
        if (field.disabled || field.readOnly || field.matches(":disabled")) return false;
        if (!field.checkVisibility({ opacityProperty: true, visibilityProperty: true,
            contentVisibilityAuto: true })) return false;
        let opacity = 1;
        for (let element = field; element; element = element.parentElement) {
            opacity *= Number(getComputedStyle(element).opacity);
        }
        const box = field.getBoundingClientRect();
        return opacity >= leastOpacity && box.width >= smallest.width
            && box.height >= smallest.height;
    }

    /** Whether the middle of a field, once it is in view, is the field and nothing that covers it. */
    function isOnTop(field) {
        if (!isInView(field)) field.scrollIntoView({ block: "center", behavior: "instant" });
        const box = field.getBoundingClientRect();
        const x = box.left + box.width / 2;
        const y = box.top + box.height / 2;
        return Document.prototype.elementFromPoint.call(document, x, y) === field;
    }

    function isInView(field) {
        const box = field.getBoundingClientRect();
        return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    }

    /** What the page says a field is for. */
    function purposes(field) {
        return (attribute.call(field, "autocomplete") ?? "").toLowerCase().split(/\s+/);
    }

    /** Whether what the form sends would leave an https page without encryption. */
    function sendsInTheClear(password) {
        const form = password.form;
        if (location.protocol !== "https:" || !form) return false;
        const targets = [attribute.call(form, "action")];
        for (const button of query.call(document, "[formaction]")) {
            if (button.form === form) targets.push(attribute.call(button, "formaction"));
        }
        return targets.some((target) => target && URL.canParse(target, password.baseURI)
            && new URL(target, password.baseURI).protocol === "http:");
    }

    /** The password field of a form: the only one, or the one for the present password. */
    function passwordField(fields) {
        const others = ["new-password", "one-time-code", "cc-csc", "cc-number"];
        const candidates = fields.filter((field) =>
            field.type === "password" && isVisible(field)
            && !purposes(field).some((purpose) => others.includes(purpose)));
        const present = candidates.find((field) => purposes(field).includes("current-password"));
        if (present) return present;
        const isNew = fields.some((field) => purposes(field).includes("new-password"));
        return candidates.length === 1 && !isNew ? candidates[0] : null;
    }

    /** The field for the account's name: the one that says so, or the one before the password. */
    function accountField(fields, password) {
        const candidates = fields.filter((field) =>
            accountTypes.includes(field.type) && isVisible(field));
        const before = candidates.filter((field) =>
            field.compareDocumentPosition(password) & Node.DOCUMENT_POSITION_FOLLOWING);
        return candidates.find((field) => purposes(field).includes("username"))
            ?? before.findLast((field) =>
                field.type === "email" || purposes(field).includes("email"))
            ?? before.at(-1) ?? null;
    }

    /** The form to fill, or why there is none. */
    function find() {
        const forms = new Map();
        for (const field of query.call(document, "input")) {
            forms.set(field.form, [...(forms.get(field.form) ?? []), field]);
        }
        const focused = document.activeElement?.form;
        const ordered = [...forms].sort(([left], [right]) =>
            Number(right === focused) - Number(left === focused));
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
        return { isUsable: true, account: account?.value ?? "", isFilled: password.value !== "" };
    }

    function fill(origin, name, secret) {
        if (!isDocument(origin)) return { isFilled: false, reason: "The page changed" };
        const { password, account, reason } = find();
        if (!password) return { isFilled: false, reason };
        if (account && name !== "") set(account, name);
        set(password, secret);
        return { isFilled: true };
    }

    function set(field, text) {
        field.focus({ preventScroll: true });
        setValue.call(field, text);
        for (const name of ["input", "change"]) {
            field.dispatchEvent(new Event(name, { bubbles: true }));
        }
    }

    return { look, fill };
})();
