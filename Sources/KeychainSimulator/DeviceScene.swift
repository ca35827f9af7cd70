import KeychainEngine
import Synchronization

/// The surroundings of a simulated device: the person in front of it, and its location.
///
/// The engine reads them and the device changes them. They refer to neither, so no call from the
/// engine leads back to it.
final class DeviceScene: Sendable {
    let biometry: SimulatedDevice.Biometry
    let person: Mutex<SimulatedUser>
    let place: Mutex<Place>

    init(biometry: SimulatedDevice.Biometry, person: SimulatedUser, place: Place) {
        self.biometry = biometry
        self.person = Mutex(person)
        self.place = Mutex(place)
    }

    /// The current surroundings of the device.
    var surroundings: Surroundings {
        let refuses = place.withLock { $0.isProtected && !$0.isFamiliar }
        return Surroundings(
            biometry: biometry.kind,
            hasCompanion: person.withLock { $0.hasCompanion },
            refusesPasscode: refuses
        )
    }
}
