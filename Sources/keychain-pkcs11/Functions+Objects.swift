import PKCS11Token

@_implementationOnly import CPKCS11

// Objects, searches and new keys.

@_cdecl("keychain_C_CreateObject")
package func createObject(
    _ session: UInt,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt,
    _ object: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let object = try Argument.required(object)
        try module.check(session)
        let template = try Argument.template(attributes, count)
        object.pointee = try module.createObject(session, template)
    }
}

@_cdecl("keychain_C_CopyObject")
package func copyObject(
    _ session: UInt,
    _ object: UInt,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt,
    _ copy: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let copy = try Argument.required(copy)
        try module.check(session)
        let template = try Argument.template(attributes, count)
        copy.pointee = try module.copyObject(session, object, template)
    }
}

@_cdecl("keychain_C_DestroyObject")
package func destroyObject(_ session: UInt, _ object: UInt) -> UInt {
    answer { module throws(ReturnCode) in try module.destroyObject(session, of: object) }
}

@_cdecl("keychain_C_GetAttributeValue")
package func getAttributeValue(
    _ session: UInt,
    _ object: UInt,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt
) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        let limit = UInt(Template.countLimit)
        let rows = try Argument.attributes(attributes, count, limit: limit)
        let types = rows.map { AttributeType(rawValue: $0.type) }
        let replies = try module.attributes(session, of: object, types)
        var failure: ReturnCode?
        for (index, reply) in replies.enumerated() {
            let wrong = Delivery.attribute(reply, &rows[index])
            failure = failure ?? wrong
        }
        if let failure { throw failure }
    }
}

@_cdecl("keychain_C_SetAttributeValue")
package func setAttributeValue(
    _ session: UInt,
    _ object: UInt,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt
) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        let template = try Argument.template(attributes, count)
        try module.setAttributes(session, of: object, template)
    }
}

@_cdecl("keychain_C_FindObjectsInit")
package func findObjectsInit(
    _ session: UInt,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt
) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        try module.beginSearch(session, try Argument.template(attributes, count))
    }
}

@_cdecl("keychain_C_FindObjects")
package func findObjects(
    _ session: UInt,
    _ objects: UnsafeMutablePointer<UInt>?,
    _ limit: UInt,
    _ count: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let count = try Argument.required(count)
        guard limit > 0 else {
            _ = try module.nextFound(session, limit: 0)
            count.pointee = 0
            return
        }
        let objects = try Argument.required(objects)
        let found = try module.nextFound(session, limit: Int(clamping: limit))
        objects.update(from: found, count: found.count)
        count.pointee = UInt(found.count)
    }
}

@_cdecl("keychain_C_FindObjectsFinal")
package func findObjectsFinal(_ session: UInt) -> UInt {
    answer { module throws(ReturnCode) in try module.endSearch(session) }
}

@_cdecl("keychain_C_GenerateKey")
package func generateKey(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt,
    _ key: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let key = try Argument.required(key)
        try module.check(session)
        key.pointee = try module.generateKey(
            session,
            try Argument.mechanism(mechanism),
            try Argument.template(attributes, count)
        )
    }
}

@_cdecl("keychain_C_WrapKey")
package func wrapKey(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ wrapping: UInt,
    _ key: UInt,
    _ wrapped: UnsafeMutablePointer<UInt8>?,
    _ wrappedCount: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        let call = try Argument.mechanism(mechanism)
        try Delivery.output(wrapped, wrappedCount) { capacity throws(ReturnCode) in
            Output.delivering(
                try module.wrapKey(session, call, wrapping: wrapping, key),
                capacity: capacity
            )
        }
    }
}

@_cdecl("keychain_C_UnwrapKey")
package func unwrapKey(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ unwrapping: UInt,
    _ wrapped: UnsafePointer<UInt8>?,
    _ wrappedCount: UInt,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt,
    _ key: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let key = try Argument.required(key)
        try module.check(session)
        guard wrappedCount <= UInt(Template.valueByteCountLimit) else {
            throw .wrappedKeyLengthRange
        }
        key.pointee = try module.unwrapKey(
            session,
            try Argument.mechanism(mechanism),
            unwrapping: unwrapping,
            [UInt8](try Argument.bytes(wrapped, wrappedCount)),
            try Argument.template(attributes, count)
        )
    }
}

@_cdecl("keychain_C_GenerateKeyPair")
package func generateKeyPair(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ publicAttributes: UnsafeMutableRawPointer?,
    _ publicCount: UInt,
    _ privateAttributes: UnsafeMutableRawPointer?,
    _ privateCount: UInt,
    _ publicKey: UnsafeMutablePointer<UInt>?,
    _ privateKey: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let publicKey = try Argument.required(publicKey)
        let privateKey = try Argument.required(privateKey)
        try module.check(session)
        let handles = try module.generateKeyPair(
            session,
            try Argument.mechanism(mechanism),
            public: try Argument.template(publicAttributes, publicCount),
            private: try Argument.template(privateAttributes, privateCount)
        )
        publicKey.pointee = handles.publicKey
        privateKey.pointee = handles.privateKey
    }
}

@_cdecl("keychain_C_DeriveKey")
package func deriveKey(
    _ session: UInt,
    _ mechanism: UnsafeMutableRawPointer?,
    _ base: UInt,
    _ attributes: UnsafeMutableRawPointer?,
    _ count: UInt,
    _ key: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let key = try Argument.required(key)
        try module.check(session)
        key.pointee = try module.deriveKey(
            session,
            try Argument.mechanism(mechanism),
            base: base,
            try Argument.template(attributes, count)
        )
    }
}
