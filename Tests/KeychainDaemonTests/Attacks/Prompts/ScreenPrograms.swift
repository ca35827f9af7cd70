/// Programs in C around a display: a person who types, and what is after the keys.
enum ScreenPrograms {
    /// A program of a display, whose first argument says which.
    ///
    /// - `type TEXT` waits for a window, gives it the keys, writes `shown`, and types the text at
    ///   one byte of input and Return at the next.
    /// - `record` reads the keys of all programs of the display.
    /// - `imitate` shows a window, and reads what is typed into it.
    /// - `settings FILE` is the settings manager of the display, and names a module for Gtk.
    ///
    /// Readers write `hears`, and `read TEXT` at Return.
    static let screen = #"""
        #include <X11/Xlib.h>
        #include <X11/XKBlib.h>
        #include <X11/Xproto.h>
        #include <X11/keysym.h>
        #include <X11/extensions/XTest.h>
        #include <X11/extensions/record.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static Display *d;
        static char text[256];
        static void take(unsigned code, int shift) {
            KeySym s = XkbKeycodeToKeysym(d, code, 0, shift);
            size_t n = strlen(text);
            if (s == XK_Return) { printf("read %s\n", text); fflush(stdout); _exit(0); }
            if (s >= 32 && s < 127 && n < sizeof text - 1) { text[n] = s; text[n + 1] = 0; }
        }
        // Windows of others may go at any time.
        static int ignore(Display *display, XErrorEvent *e) { return 0; }
        static void hear(XPointer p, XRecordInterceptData *i) {
            if (i->category == XRecordStartOfData) puts("hears");
            if (i->category == XRecordFromServer && i->data[0] == KeyPress) {
                const xEvent *e = (const void *)i->data;
                take(i->data[1], e->u.keyButtonPointer.state & ShiftMask);
            }
            XRecordFreeData(i);
        }
        static int record(void) {
            Display *other = XOpenDisplay(0);
            XRecordRange *r = XRecordAllocRange();
            XRecordClientSpec all = XRecordAllClients;
            r->device_events.first = r->device_events.last = KeyPress;
            XRecordContext c = XRecordCreateContext(d, 0, &all, 1, &r, 1);
            XSync(d, 0);
            return other && c && XRecordEnableContext(other, c, hear, 0) ? 0 : 4;
        }
        static void press(KeySym s) {
            KeyCode k = XKeysymToKeycode(d, s), shift = XKeysymToKeycode(d, XK_Shift_L);
            int upper = XkbKeycodeToKeysym(d, k, 0, 0) != s;
            if (upper) XTestFakeKeyEvent(d, shift, 1, 0);
            XTestFakeKeyEvent(d, k, 1, 0);
            XTestFakeKeyEvent(d, k, 0, 0);
            if (upper) XTestFakeKeyEvent(d, shift, 0, 0);
        }
        static int is_window(Window w) {
            XWindowAttributes a;
            return XGetWindowAttributes(d, w, &a) && a.map_state == IsViewable
                && !a.override_redirect && a.class == InputOutput && a.width > 90 && a.height > 40;
        }
        static Window shown(void) {
            Window root, parent, *all = 0, found = 0; unsigned n = 0;
            XQueryTree(d, DefaultRootWindow(d), &root, &parent, &all, &n);
            for (unsigned k = 0; k < n; k++) if (is_window(all[k])) found = all[k];
            return found;
        }
        static int type(const char *words) {
            XEvent e; Window w; char c;
            XSelectInput(d, DefaultRootWindow(d), SubstructureNotifyMask);
            while (!(w = shown())) XNextEvent(d, &e);
            XWarpPointer(d, 0, w, 0, 0, 0, 0, 20, 20);
            XSetInputFocus(d, w, RevertToPointerRoot, CurrentTime);
            XSync(d, 0);
            puts("shown");
            if (read(0, &c, 1) != 1) return 3;
            for (const char *p = words; *p; p++) press((unsigned char)*p);
            XSync(d, 0);
            puts("typed");
            if (read(0, &c, 1) != 1) return 3;
            press(XK_Return);
            XSync(d, 0);
            return 0;
        }
        static int imitate(void) {
            XEvent e;
            Window w = XCreateSimpleWindow(d, DefaultRootWindow(d), 50, 50, 400, 120, 1, 0, ~0ul);
            XSelectInput(d, w, KeyPressMask);
            XMapWindow(d, w);
            XSync(d, 0);
            puts("hears");
            for (;;) {
                XNextEvent(d, &e);
                if (e.type == KeyPress) take(e.xkey.keycode, e.xkey.state & ShiftMask);
            }
        }
        static int settings(const char *module) {
            unsigned char b[4096] = {0}; size_t n = strlen(module), name = 11, at = 8;
            char atom[32]; XEvent e;
            uint32_t one = 1, count = n; uint16_t length = name;
            memcpy(b + at, &one, 4); at += 4;
            b[at] = 1; memcpy(b + at + 2, &length, 2); at += 4;
            memcpy(b + at, "Gtk/Modules", name); at += 12 + 4;
            memcpy(b + at, &count, 4); at += 4;
            memcpy(b + at, module, n); at += (n + 3) & ~3u;
            snprintf(atom, sizeof atom, "_XSETTINGS_S%d", DefaultScreen(d));
            Atom selection = XInternAtom(d, atom, 0);
            Atom kind = XInternAtom(d, "_XSETTINGS_SETTINGS", 0);
            Window w = XCreateSimpleWindow(d, DefaultRootWindow(d), 0, 0, 1, 1, 0, 0, 0);
            XChangeProperty(d, w, kind, kind, 8, PropModeReplace, b, at);
            XSetSelectionOwner(d, selection, w, CurrentTime);
            XSync(d, 0);
            if (XGetSelectionOwner(d, selection) != w) return 4;
            puts("hears");
            for (;;) XNextEvent(d, &e);
        }
        int main(int n, char **a) {
            setvbuf(stdout, 0, _IOLBF, 0);
            alarm(110);
            XSetErrorHandler(ignore);
            if (n < 2 || !(d = XOpenDisplay(0))) return 2;
            if (!strcmp(a[1], "record")) return record();
            if (!strcmp(a[1], "imitate")) return imitate();
            if (!strcmp(a[1], "settings")) return settings(a[2]);
            return type(a[2]);
        }
        """#

    /// A module for Gtk 2 and 3 that notes in whose process it is, and every key.
    static func module(_ note: String) -> String {
        "#define NOTE \"\(note)\"\n"
            + #"""
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdio.h>
            #include <string.h>
            #include <unistd.h>
            struct key { int type; void *window; char send; unsigned time, state, value; };
            static char text[256];
            static void write_note(const char *words) {
                FILE *f = fopen(NOTE, "a");
                if (f) { fprintf(f, "%s\n", words); fclose(f); }
            }
            static int snoop(void *widget, struct key *k, void *data) {
                size_t n = strlen(text); char line[300];
                if (k->type != 8) return 0;
                if (k->value == 0xff0d) {
                    snprintf(line, sizeof line, "read %s", text);
                    write_note(line);
                } else if (k->value < 127 && n < sizeof text - 1) {
                    text[n] = k->value;
                    text[n + 1] = 0;
                }
                return 0;
            }
            void gtk_module_init(int *n, char ***a) {
                char line[256], exe[256] = "exe ";
                FILE *f = fopen("/proc/self/status", "r");
                while (f && fgets(line, sizeof line, f)) {
                    line[strcspn(line, "\n")] = 0;
                    if (!strncmp(line, "Gid", 3)) write_note(line);
                }
                if (f) fclose(f);
                if (readlink("/proc/self/exe", exe + 4, sizeof exe - 5) > 0) write_note(exe);
                const char *name = "gtk_key_snooper_install";
                unsigned (*install)(void *, void *) = dlsym(RTLD_DEFAULT, name);
                if (install) install(snoop, 0);
            }
            """#
    }
}
