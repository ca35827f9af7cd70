#ifndef OPEN_ENUMERATION_H
#define OPEN_ENUMERATION_H

/// Declares an enumeration as Apple's SDK does. Swift then takes every number for a value, and a
/// switch over it needs `@unknown default`. No enumeration that is written in Swift can do that.
#define OPEN_ENUMERATION(type, name) \
    enum __attribute__((enum_extensibility(open))) name : type; \
    typedef enum name name; \
    enum __attribute__((enum_extensibility(open))) name : type

/// The name of a case in Swift, where the common beginning of the names is not the type's.
#define CASE_NAME(name) __attribute__((swift_name(#name)))

/// A case that Apple deprecated for another one.
#define RENAMED(name) __attribute__((deprecated("", #name)))

#endif
