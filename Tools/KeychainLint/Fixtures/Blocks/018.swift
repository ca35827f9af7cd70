// A wipe after a reinstallation that waits for the first unlock with an observer it never removes.
actor Housekeeping {
    private static let mark = "org.example.garden.wasHere"

    func sweepAfterInstallation() async {
        if UserDefaults.standard.bool(forKey: Self.mark) { return }
        let open = await MainActor.run { UIApplication.shared.isProtectedDataAvailable }
        if open {
            wipeEverything()
            UserDefaults.standard.set(true, forKey: Self.mark)
        } else {
            await sweepAtUnlock()
        }
    }

    private func sweepAtUnlock() async {
        await withCheckedContinuation { unlocked in
            NotificationCenter.default.addObserver(
                forName: UIApplication.protectedDataDidBecomeAvailableNotification,
                object: nil,
                queue: nil
            ) { _ in
                Task {
                    await self.wipeEverything()
                    UserDefaults.standard.set(true, forKey: Self.mark)
                    unlocked.resume()
                }
            }
        }
    }

    private func wipeEverything() {
        let kinds = [
            kSecClassIdentity, kSecClassKey, kSecClassCertificate,
            kSecClassInternetPassword, kSecClassGenericPassword,
        ]
        for kind in kinds {
            let everyItem: NSDictionary = [
                kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                kSecClass: kind,
            ]
            SecItemDelete(everyItem)
        }
    }
}
