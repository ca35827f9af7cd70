// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

import CoreFoundation

// The codes of attributes that a cryptographic context lacks or cannot use.

/// The key in the context is unusable.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// The context lacks the key.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The initialization vector in the context is unusable.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The context lacks the initialization vector.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The salt in the context is unusable.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The context lacks the salt.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The padding in the context is unusable.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The context lacks the padding.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The random number in the context is unusable.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The context lacks the random number.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The seed in the context is unusable.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The context lacks the seed.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The passphrase in the context is unusable.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The context lacks the passphrase.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The key length in the context is unusable.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The context lacks the key length.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The block size in the context is unusable.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The context lacks the block size.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The output size in the context is unusable.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The context lacks the output size.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The number of rounds in the context is unusable.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The context lacks the number of rounds.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The set of algorithm parameters in the context is unusable.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The context lacks the set of algorithm parameters.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The label in the context is unusable.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The context lacks the label.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The key type in the context is unusable.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The context lacks the key type.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The mode in the context is unusable.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The context lacks the mode.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The number of effective bits in the context is unusable.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The context lacks the number of effective bits.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The start date in the context is unusable.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The context lacks the start date.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The end date in the context is unusable.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The context lacks the end date.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The version in the context is unusable.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The context lacks the version.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The prime in the context is unusable.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The context lacks the prime.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The base in the context is unusable.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The context lacks the base.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The subprime in the context is unusable.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The context lacks the subprime.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The iteration count in the context is unusable.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The context lacks the iteration count.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The database handle in the context is unusable.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The context lacks the database handle.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The access credential in the context is unusable.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// The context lacks the access credential.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The public key format in the context is unusable.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The context lacks the public key format.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The private key format in the context is unusable.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The context lacks the private key format.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The symmetric key format in the context is unusable.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The context lacks the symmetric key format.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The wrapped key format in the context is unusable.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The context lacks the wrapped key format.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805
