// A declaration that makes access controls, without a body and without a use.
func makeGuard(
    level: CFString,
    demands: SecAccessControlCreateFlags,
    in allocator: CFAllocator?,
    failure: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl?
