// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

extension SecurityStatus {
    /// The codes of attributes that a cryptographic context lacks or cannot use.
    static let contextRows: [Entry] = [
        .init(-67748, "InvalidAttributeKey", "The key in the context is unusable."),
        .init(-67749, "MissingAttributeKey", "The context lacks the key."),
        .init(
            -67750,
            "InvalidAttributeInitVector",
            "The initialization vector in the context is unusable."
        ),
        .init(-67751, "MissingAttributeInitVector", "The context lacks the initialization vector."),
        .init(-67752, "InvalidAttributeSalt", "The salt in the context is unusable."),
        .init(-67753, "MissingAttributeSalt", "The context lacks the salt."),
        .init(-67754, "InvalidAttributePadding", "The padding in the context is unusable."),
        .init(-67755, "MissingAttributePadding", "The context lacks the padding."),
        .init(-67756, "InvalidAttributeRandom", "The random number in the context is unusable."),
        .init(-67757, "MissingAttributeRandom", "The context lacks the random number."),
        .init(-67758, "InvalidAttributeSeed", "The seed in the context is unusable."),
        .init(-67759, "MissingAttributeSeed", "The context lacks the seed."),
        .init(-67760, "InvalidAttributePassphrase", "The passphrase in the context is unusable."),
        .init(-67761, "MissingAttributePassphrase", "The context lacks the passphrase."),
        .init(-67762, "InvalidAttributeKeyLength", "The key length in the context is unusable."),
        .init(-67763, "MissingAttributeKeyLength", "The context lacks the key length."),
        .init(-67764, "InvalidAttributeBlockSize", "The block size in the context is unusable."),
        .init(-67765, "MissingAttributeBlockSize", "The context lacks the block size."),
        .init(-67766, "InvalidAttributeOutputSize", "The output size in the context is unusable."),
        .init(-67767, "MissingAttributeOutputSize", "The context lacks the output size."),
        .init(-67768, "InvalidAttributeRounds", "The number of rounds in the context is unusable."),
        .init(-67769, "MissingAttributeRounds", "The context lacks the number of rounds."),
        .init(
            -67770,
            "InvalidAlgorithmParms",
            "The set of algorithm parameters in the context is unusable."
        ),
        .init(
            -67771,
            "MissingAlgorithmParms",
            "The context lacks the set of algorithm parameters."
        ),
        .init(-67772, "InvalidAttributeLabel", "The label in the context is unusable."),
        .init(-67773, "MissingAttributeLabel", "The context lacks the label."),
        .init(-67774, "InvalidAttributeKeyType", "The key type in the context is unusable."),
        .init(-67775, "MissingAttributeKeyType", "The context lacks the key type."),
        .init(-67776, "InvalidAttributeMode", "The mode in the context is unusable."),
        .init(-67777, "MissingAttributeMode", "The context lacks the mode."),
        .init(
            -67778,
            "InvalidAttributeEffectiveBits",
            "The number of effective bits in the context is unusable."
        ),
        .init(
            -67779,
            "MissingAttributeEffectiveBits",
            "The context lacks the number of effective bits."
        ),
        .init(-67780, "InvalidAttributeStartDate", "The start date in the context is unusable."),
        .init(-67781, "MissingAttributeStartDate", "The context lacks the start date."),
        .init(-67782, "InvalidAttributeEndDate", "The end date in the context is unusable."),
        .init(-67783, "MissingAttributeEndDate", "The context lacks the end date."),
        .init(-67784, "InvalidAttributeVersion", "The version in the context is unusable."),
        .init(-67785, "MissingAttributeVersion", "The context lacks the version."),
        .init(-67786, "InvalidAttributePrime", "The prime in the context is unusable."),
        .init(-67787, "MissingAttributePrime", "The context lacks the prime."),
        .init(-67788, "InvalidAttributeBase", "The base in the context is unusable."),
        .init(-67789, "MissingAttributeBase", "The context lacks the base."),
        .init(-67790, "InvalidAttributeSubprime", "The subprime in the context is unusable."),
        .init(-67791, "MissingAttributeSubprime", "The context lacks the subprime."),
        .init(
            -67792,
            "InvalidAttributeIterationCount",
            "The iteration count in the context is unusable."
        ),
        .init(-67793, "MissingAttributeIterationCount", "The context lacks the iteration count."),
        .init(
            -67794,
            "InvalidAttributeDLDBHandle",
            "The database handle in the context is unusable."
        ),
        .init(-67795, "MissingAttributeDLDBHandle", "The context lacks the database handle."),
        .init(
            -67796,
            "InvalidAttributeAccessCredentials",
            "The access credential in the context is unusable."
        ),
        .init(
            -67797,
            "MissingAttributeAccessCredentials",
            "The context lacks the access credential."
        ),
        .init(
            -67798,
            "InvalidAttributePublicKeyFormat",
            "The public key format in the context is unusable."
        ),
        .init(
            -67799,
            "MissingAttributePublicKeyFormat",
            "The context lacks the public key format."
        ),
        .init(
            -67800,
            "InvalidAttributePrivateKeyFormat",
            "The private key format in the context is unusable."
        ),
        .init(
            -67801,
            "MissingAttributePrivateKeyFormat",
            "The context lacks the private key format."
        ),
        .init(
            -67802,
            "InvalidAttributeSymmetricKeyFormat",
            "The symmetric key format in the context is unusable."
        ),
        .init(
            -67803,
            "MissingAttributeSymmetricKeyFormat",
            "The context lacks the symmetric key format."
        ),
        .init(
            -67804,
            "InvalidAttributeWrappedKeyFormat",
            "The wrapped key format in the context is unusable."
        ),
        .init(
            -67805,
            "MissingAttributeWrappedKeyFormat",
            "The context lacks the wrapped key format."
        ),
    ]
}
