import KeychainEngine
import Synchronization

/// What is around a simulated device: the person in front of it, and the place where it is.
///
/// The engine looks at it and the device changes it. It knows neither, so that nothing that the
/// engine calls leads back to the engine.
final class DeviceScene: Sendable {
    let biometry: SimulatedDevice.Biometry
    let person: Mutex<SimulatedUser>
    let place: Mutex<Place>

    init(biometry: SimulatedDevice.Biometry, person: SimulatedUser, place: Place) {
        self.biometry = biometry
        self.person = Mutex(person)
        self.place = Mutex(place)
    }

    /// What is around the device now.
    var surroundings: Surroundings {
        let refuses = place.withLock { $0.isProtected && !$0.isFamiliar }
        return Surroundings(
            biometry: biometry.kind,
            hasCompanion: person.withLock { $0.hasCompanion },
            refusesPasscode: refuses
        )
    }
}
