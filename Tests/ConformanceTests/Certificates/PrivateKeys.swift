// ★ Made by Scripts/make-certificate-fixtures.sh; these keys protect nothing.

/// Private keys in their external representation.
enum PrivateKeys {

    static let ada = Fixture(
        """
        BJlPh1jVmX3NP0aCDC1XhqNWfajk5fyVJV3lLM2qx8y72zfqD7wsqf+lAEWqGfEMPL4xyAZjHlxUU7N9VXdvG+Vg
        73cMmBhpxrYDMnxwNyUgE2cnqj4oyyC6Apc/OLRXBA==
        """
    )

    static let bob = Fixture(
        """
        MIIEowIBAAKCAQEAvAAzK0Sz0gtoUbC7kvQbpYadfQqnRVB1u32Gs9RcKiAqwCKAhrYG8btQ/vBJDxlI6dKIWxl4
        IyBaTty+aikI+lfqKGV6Q9mOc4MB1GWkjF4hnYaKjhsv9GhUuLr12pXibX/RcyEkANgwGW8OPWNA2Uv/RwOxW1A1
        HOAXLzHg0bfCONxPQ49vJ4Kv5IhzCToJqlHsneoD+NFQCkfhKaA8mgH3e3BtVu7H/BbcbbNxK1rRw6iVAMm/GMoV
        6p2qI1lw6+Up52kozhZ4uGAJ6Q79NAPVGEQoikPoswtZ99oFpRZ5E+KmApnWoLCBQjnaCXZzETT839tb4vu8mrne
        A85pBQIDAQABAoIBADJQy2EVLhtVOkJCzrDx7ERM1vGUXFhMxHW9jsOqXlBX85kgos1rAkjIHVFd9e+4kK8jzaK0
        GlcsXX8lzUCUYva9eMn+/s4R9/Iqad7ypSt8Nfr2+zY1SIxdL++Q+iPaYZN01hW+FOi084qbEnCTk9OUZ2oWLu2F
        dfGYeBwFeWonEiIt/MmEW+X/dHKsynWt1I7FwUu4YjMdmJRARFS9RWe1RRS1Mv642+Q4qiq3RdoUqS7U9PeUxDcW
        86JYZ/bYBpVIL1dmJ2/QDm1RHAey3hy7xx2euS8LtB0PHvDYvQSnvrj8LYLSp7WjtdaWIqg7f17LbkHAc9JSssUX
        UI+dMbECgYEA8zRsbCEyiRozpsMrOR6iWvv0Xkoa1l9HGoS0gOWs0wZacLbXxHW+5S8v26AHPadWvcthGq0eo5cH
        T97eaCeykK1CkR3ebZfKi+cYstv0ad7tSM1bQ5RvWc2V+4QQyYEXsDkBgDSjo+VJ9hodUn4x5RaYr9mjPNzRHyuc
        F8mzQucCgYEAxeREd4uqSn2ziCLOPCg9Cun/NiaZFuWc9CqqE+N7d4P4I4zPMRVSwnEPqOQR5HLBxKM+1yT/Lcg9
        GaDZ53H9bxVgu/BI8/zqZXh8+O3xzJwcJ5+m4hLkGYopeU7V70qD9dshCcvbih+1Eszc0Vx5KVr02Wm4Eaw5Isdq
        hWGpozMCgYEA3pJme1qyTgi9pmtMvjyL5upYTIZTI0cU4m76ZlBLJuDUmfyrYG9FoabajItatRDU8GMVXf17YclQ
        9saHEhjqcT8vAXGtYuycgAahcuabOty6mXref+1zLmNYVFMbrd3HmQ3CktsZu1+WnXRuy1UUQoy4dY6eto97jqQx
        eQ+tT5cCgYA1ZcbjyxgESa7sCRhFO0Zdb46h+gBNIWAcsnZ6L2PdeAq47QHraKmQNhnXpNL/JcgLW1FVlHIW1HVI
        ORMTVLriAo67p7bHv3MwNjbipLIeV/Fw76+ESTyrd5CBXzhy/VRmPt7HWe6/cpbVn9nl1GINOrHfCJvWiPZR4CVq
        IFQ56QKBgBM/FUuSfyYg4qBoxqEnq/ialyhwXkGROLaI9ibyzKQpNsIAwYt98AFUP0AmWfafUQR0G4hkY/VM3PzJ
        FcDjlqXvTSN57CmDfhUB6yPyvWJTRPz0q1BR2smdjY8zCYBQHDGbppzapy8RGxgfjl0UMDV5t7xMg2zNBwAHFhyL
        Ub8i
        """
    )
}
