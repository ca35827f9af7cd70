#ifndef APPLICATION_ENUMERATIONS_H
#define APPLICATION_ENUMERATIONS_H

#include "OpenEnumeration.h"

/// What work in the background found.
OPEN_ENUMERATION(unsigned long, UIBackgroundFetchResult) {
    /// New data.
    UIBackgroundFetchResultNewData = 0,
    /// No new data.
    UIBackgroundFetchResultNoData = 1,
    /// A failure.
    UIBackgroundFetchResultFailed = 2,
};

/// Where an app is; `UIApplication.State` in Swift.
OPEN_ENUMERATION(long, UIApplicationState) {
    /// In front.
    UIApplicationStateActive = 0,
    /// Between front and background.
    UIApplicationStateInactive = 1,
    /// In the background.
    UIApplicationStateBackground = 2,
};

#endif
