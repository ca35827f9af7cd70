// ★ Made by Scripts/make-certificate-fixtures.sh; these keys protect nothing.

/// Private keys in their external representation.
enum PrivateKeys {

    static let ada = Fixture(
        """
        BJ7XpWh9ot8wyZhKd1K9tAypybLvG4/KS3nHHZR0n5vW6DobvYdAbUkb5cqr6JU0PfQd5TMesIga4UkIi0F0MlLL
        VvyVYIV7w8/b/86BXWG4jB1ztP6O7bfanjBo6ZLLWg==
        """
    )

    static let bob = Fixture(
        """
        MIIEpQIBAAKCAQEAz/yHmYcaoei3nURVYWN0rCVY+UIcspg/mvCcO3PZuWF6Vhq2TlEiaVcJ3bNAlI7rsWBMAcbw
        puO+LU71HloodNkBadmBiHv5yzFUXiev7Qso/kGBBoguKfr8P6UlIGEAh5c88vFMIlGzS4/CzMGTmf9II+O9FXHx
        H/8piMnVsfe0m+I9J2AA7JVpSSVoBdxyMdLXxt0jxKjO/sPQPWVKYYFjzhFv7FwcLQpnophV4fs2gBYoVFqL6SMs
        xhldoBPj39OL9Ow5j5dBZ+eO7hD7xNPau5qATF83bVzx1elOWaZiylby0T2I7MoYsAlzXupE5hJWYUJOja8KnwU2
        ouJ6rwIDAQABAoIBAB7t/PRV5R4Cz5txmAjdk3IuM6cNr9rXTU4rTfCBb/Vji5/WZRoMcsObj/oKOCZfgqlkGqmA
        /jSzVYrDXSxgV/fYdZ9aGytC1IjlExjVahIkQLpe32MrSUIw8uY8FuNTyZJgaU3vmFTaNYGdJWjxuJOEJSRBL9NK
        mIMbnP+clEzctrvWz8kzJQoCAybfWM3hYrtXf1dHoVohRvqQivDRrfMpDzy+R96LcWW2B+iAiWVLQ/0wcHkEW8//
        tvYp28I52vKrjr9QMdJhv1aPwMle7hSFaaYvqCAnugLeiKWocNwL3zzKm2ZCmADx0KYtSwaztXdhi0sYS//6hJnH
        I5BdHTECgYEA5vGU+kA09Rxg15ZAWeeYnIVgqna/RbmwkyeIcKGa7ksM8r7xh13p0Wjvl1hQQmXlLWdBOQQmuP3b
        4+328hvdYyrHYKnd4RtoKCX92jMg+E3eX152bio6I3upGb+mSd7p4iPMDWTHeugZcYnf/AWWQbTmu583bE8VtHiF
        K3lnDl0CgYEA5o1QlLLfO5bc29qmcVLLW3WliaXhOeEVTwUbZJ23y321/nyecphXSnkZxd/V0Qh+OuM8R2ALxVsV
        gl9jkI0MfzjytIrpwHTuR1JuvXlUXl0Sok1mGS2MdhANleN8KUsRhZ+3mRGGOnl6jZ4ZdtLfl4VAVn/BQR1HUK3V
        5u0npHsCgYEAmt7U5gEawmjWdJyY6PGLgSNckNPzLuH4jKZNNCLbkAOaWks8E2giPcFeMqMRp4VHa+w7a+3hvdrX
        lAFnwjJ3g2ITtDoVxjin34yisKnq6Tjm8BOb3gLJXDQ4UUEZVZ58P5973lt//mcZcO9h2lMw0T1sIdQCyco7JvxP
        abkPKC0CgYEA266FvNrgCRjMZBVpCYxZx1FHpexQuuT1d/Em0+3Qxu6HLvGxzQHKE2VnIHwTcfXEyfniYyRqsugC
        i9K2vXMZGFS8NzoyV7dToNQ0PwjQUoYfDlXv1kfnkkvjlhJIKdSk4o141Tq0ix1boHuoSefPM8K9tm5PR+tNG9w4
        eK07W+cCgYEAgrJ1o8stFzny2Wh+FG91TClCl55Ykg+OYtnDKj2OoZQfvZKl4asnu28FZn2OULP1xPiqq1aWfzps
        qN68ttQCrp/xqXHfQSE+jic/xN/lHDDYBuV7vvpZq/h5RgxmgPGbmoTUYKkrtv1f3KGvWD/YvIqLREvXd5me3PTW
        xT8tujk=
        """
    )
}
