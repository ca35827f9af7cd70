import WebKit

func signIn(_ url: URL) -> WKWebView {
    let view = WKWebView()  // expect
    view.load(URLRequest(url: url))
    return view
}
