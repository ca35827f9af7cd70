import DataProtection
import Glibc

@_implementationOnly import CTSS

/// The functions of libtss2, loaded when a TPM is used.
///
/// A program without a TPM starts without these libraries, and runs where they are not installed.
struct TPMLibrary {
    let openTransport: ctss_tctildr_initialize
    let closeTransport: ctss_tctildr_finalize
    let initialize: ctss_initialize
    let finalize: ctss_finalize
    let free: ctss_free
    let createPrimary: ctss_create_primary
    let create: ctss_create
    let load: ctss_load
    let hmac: ctss_hmac
    let flush: ctss_flush_context
    let startSession: ctss_start_auth_session
    let setSessionAttributes: ctss_set_session_attributes
    let name: ctss_get_name
    let decode: ctss_decode
    let marshalPublic: ctss_marshal_public
    let unmarshalPublic: ctss_unmarshal_public
    let marshalPrivate: ctss_marshal_private
    let unmarshalPrivate: ctss_unmarshal_private

    /// Loads the libraries; after the first time this takes microseconds.
    ///
    /// - Throws: `element` with the name of a library that is not installed.
    init() throws(DeviceError) {
        let loader = try Image("libtss2-tctildr.so.0")
        openTransport = try loader.symbol("Tss2_TctiLdr_Initialize")
        closeTransport = try loader.symbol("Tss2_TctiLdr_Finalize")
        let system = try Image("libtss2-esys.so.0")
        initialize = try system.symbol("Esys_Initialize")
        finalize = try system.symbol("Esys_Finalize")
        free = try system.symbol("Esys_Free")
        createPrimary = try system.symbol("Esys_CreatePrimary")
        create = try system.symbol("Esys_Create")
        load = try system.symbol("Esys_Load")
        hmac = try system.symbol("Esys_HMAC")
        flush = try system.symbol("Esys_FlushContext")
        startSession = try system.symbol("Esys_StartAuthSession")
        setSessionAttributes = try system.symbol("Esys_TRSess_SetAttributes")
        name = try system.symbol("Esys_TR_GetName")
        decode = try Image("libtss2-rc.so.0").symbol("Tss2_RC_Decode")
        let marshalling = try Image("libtss2-mu.so.0")
        marshalPublic = try marshalling.symbol("Tss2_MU_TPM2B_PUBLIC_Marshal")
        unmarshalPublic = try marshalling.symbol("Tss2_MU_TPM2B_PUBLIC_Unmarshal")
        marshalPrivate = try marshalling.symbol("Tss2_MU_TPM2B_PRIVATE_Marshal")
        unmarshalPrivate = try marshalling.symbol("Tss2_MU_TPM2B_PRIVATE_Unmarshal")
    }

    /// A library in this process, which stays loaded as long as the process lives.
    private struct Image {
        private let name: String
        private let handle: UnsafeMutableRawPointer

        init(_ name: String) throws(DeviceError) {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
                let reason = "\(name) cannot be loaded; install the TPM2 software stack (tpm2-tss)"
                throw .element(reason: reason)
            }
            self.name = name
            self.handle = handle
        }

        /// Returns the function with a name; `Function` is its type in the header.
        func symbol<Function>(_ symbol: String) throws(DeviceError) -> Function {
            guard let address = dlsym(handle, symbol) else {
                throw .element(reason: "\(name) has no \(symbol); it is too old or too new")
            }
            return unsafeBitCast(address, to: Function.self)
        }
    }
}
