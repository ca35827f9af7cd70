// The wire by Documentation/Spec/wire.md, for programs in C that know none of our code.
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

enum { duplicate_item = -25299, interaction_not_allowed = -25308 };

// A message for the next `transmit`.
void begin_request(unsigned group, unsigned kind);
void put_number(uint64_t value, int byte_count);
void put_text(const char *text);
void add(const char *service, const char *password, const void *value, size_t size);
void find(const char *service, const char *password);
void find_all(void);
void update(const char *service, const void *value, size_t size);
void lock(void);
void unlock(const char *passcode);
void set_passcode(const char *passcode);
void lock_after(unsigned idle_seconds);

// Connections. A message ends in whether it was sent, or in its kind: 1 a welcome, 2 a reply, 3 a
// failure; 0 if the connection ended.
int dial(const char *path);
int greet(const char *path);
int transmit(int s);
int receive(int s);
// `transmit`, then `receive`.
int call(int s);
// The status of the latest failure, and 0 after anything else.
extern int status;

void become(unsigned account);
void find_group(void);
void die(const char *what);
double micros(void);
void pause_for(int milliseconds);

// Storms of a hostile account, until standard input ends.
int storm(const char *name, const char *path, unsigned account, int accounts, int count);

#endif
