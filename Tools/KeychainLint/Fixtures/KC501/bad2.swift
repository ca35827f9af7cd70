import Security

func update(_ query: CFDictionary, _ values: CFDictionary) {
    _ = SecItemUpdate(query, values)  // expect
}
