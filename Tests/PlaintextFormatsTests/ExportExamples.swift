// ★ Table: exports of password managers, of which only a part can move.
let oddExports: [OddExample] = [
    OddExample(
        "csv",
        "name,url,username,password\nN,https://h,u,p\nName,URL,Username,Password\nN,https://i,u,q\n",
        ["htps://u@h=p", "htps://u@i=q"],
        kept: ["3: the header a second time"]
    ),
    OddExample(
        "bitwarden",
        #"{"encrypted":false,"folders":[],"items":[{"id":"1","type":1,"name":"Site","notes":null,"#
            + #""passwordHistory":[{"password":"earlier-1"}],"login":{"uris":[{"match":null,"#
            + #""uri":"https://a.example"},{"uri":"https://b.example"}],"username":"ann","#
            + #""password":"pw-1","totp":null,"fido2Credentials":[{"keyValue":"AAAA"}]}}]}"#,
        [],
        kept: ["1: it has earlier passwords as well"]
    ),
    OddExample(
        "bitwarden",
        """
        {"items":[
        {"type":1,"name":"a","login":{"password":"p","fido2Credentials":[{}]}},
        {"type":1,"name":"b","login":{"password":"p","uris":[{"uri":"https://h"},{"uri":"h2"}]}},
        {"type":1,"name":"c","login":{"password":"p","uris":[{"uri":"https://h","match":3}]}},
        {"type":1,"name":"d","deletedDate":"2024","login":{"password":"p"}},
        {"type":1,"name":"e","attachments":[{}],"login":{"password":"p"}},
        {"type":1,"name":"f","reprompt":1,"login":{"password":"p"}},
        {"type":1,"name":"g","organizationId":"o","login":{"password":"p"}},
        {"type":1,"name":"h","something":"new","login":{"password":"p"}},
        {"type":1,"name":"i","login":{"password":"p","passkey":{"key":1}}},
        {"type":3,"name":"j","card":{"number":"4111"}},
        {"type":1,"name":"k","login":{"totp":"JBSW"}},
        {"type":1,"name":"l","login":{"password":"p","password":"q"}},
        {"type":1,"name":"m","reprompt":0,"favorite":false,"fields":[],"notes":"a\\/\\u00e9",
         "passwordHistory":null,"login":{"password":"\\u0070\\/","uris":[],"totp":""}}]}
        """,
        ["m/=p/"],
        kept: [
            "2: it has a passkey as well", "3: it has several addresses as well",
            "4: it has a rule of its own for its address as well",
            "5: it has a place in the trash as well", "6: it has attachments as well",
            "7: it has a prompt for the master password as well",
            "8: it has an organization as well", "9: it has a member that is not known as well",
            "10: it has a member that is not known as well", "11: an entry that is no login",
            "12: a login without a password that has a one-time password",
            "13: it has a member that stands there twice as well",
        ]
    ),
    OddExample(
        "csv",
        "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,"
            + "login_password,login_totp\n"
            + ",,login,Site,,,0,\"https://a.example,https://b.example\",ann,pw-1,\n"
            + ",,note,N,text,,0,,,,\n,,login,T,,,0,h,u,p,JBSW\n,,login,R,,,1,h,u,p,\n"
            + "Work,1,login,W,n,,0,https://w/?q,ann,pw,\n",
        ["htps://ann@w=pw"],
        kept: [
            "2: it has several addresses as well",
            "3: an entry without a password that has other content",
            "4: it has a one-time password as well",
            "5: it has a prompt for the master password as well",
        ]
    ),
    OddExample(
        "csv",
        "\"Group\",\"Title\",\"Username\",\"Password\",\"URL\",\"Notes\",\"TOTP\",\"Icon\","
            + "\"Last Modified\",\"Created\"\n"
            + "\"Root\",\"Site\",\"ann\",\"pw-1\",\"https://a.example\",\"a note\","
            + "\"otpauth://totp/x?secret=JBSWY3DPEHPK3PXP\",\"0\",\"2024\",\"2024\"\n"
            + "\"Root\",\"B\",\"bo\",\"pw-2\",\"https://b.example\",\"b\",\"\",\"0\",\"x\",\"y\"\n"
            + "\"Root/Recycle Bin\",\"C\",\"bo\",\"pw-3\",\"https://c.example\",\"\",\"\","
            + "\"0\",\"\",\"\"\n",
        ["htps://bo@b.example=pw-2"],
        kept: ["2: it has a one-time password as well", "4: it has a place in the trash as well"]
    ),
    OddExample(
        "csv",
        "url,username,password,totp,extra,name,grouping,fav\n"
            + "https://a.example,ann,pw-1,JBSWY3DPEHPK3PXP,\"a note\",Site,,0\n"
            + "https://b.example,bo,pw-2,,\"b \"\"n\"\"\",B,Work,1\nhttp://sn,,,,secret,N,,0\n",
        ["htps://bo@b.example=pw-2"],
        kept: [
            "2: it has a one-time password as well",
            "4: an entry without a password that has other content",
        ]
    ),
    OddExample(
        "csv",
        "username,username2,username3,title,password,note,url,category,otpUrl\n"
            + "ann,ann2,,Site,pw-1,a note,https://a.example,,otpauth://totp/x?secret=JBSW\n"
            + "bo,,,B,pw-2,n,https://b.example,Work,\nbo,b2,,C,pw-3,,https://c.example,,\n",
        ["htps://bo@b.example=pw-2"],
        kept: ["2: it has a second user name as well", "4: it has a second user name as well"]
    ),
    OddExample(
        "csv",
        "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault\n"
            + "login,A,https://a,e@x,ann,p1,,,1,2,V\nlogin,B,https://b,e@x,,p2,,,1,2,V\n"
            + "login,C,\"https://c, https://d\",,u,p3,,,1,2,V\nalias,D,,e@x,,p4,,,1,2,V\n",
        ["htps://ann@a=p1", "htps://e@x@b=p2"],
        kept: ["4: it has several addresses", "5: it has another kind of entry as well"]
    ),
    OddExample(
        "csv",
        "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\n"
            + "A,https://a,u,p,,true,false,x;y,n\nB,https://b,u,p,,false,true,,\n",
        ["htps://u@a=p"],
        kept: ["3: it has a place in the archive as well"]
    ),
    OddExample(
        "csv",
        "name,url,username,password\nx,y\nA,https://a,u,p\n\"x\"y,h,u,p\nB,https://b,u,p\n"
            + "C,https://u:p@c,u,p\nD,https://d,u,\"open\nE,https://e,u,p\n",
        ["htps://u@a=p", "htps://u@b=p"],
        kept: [
            "2: not as many fields as the header", "4: text after a closing quotation mark",
            "6: its address has a user in it", "7: a quotation mark that is never closed",
        ]
    ),
    OddExample(
        "csv",
        "\u{FEFF}\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\"\r\n"
            + "\"https://h\",\"u\",\"p\",\"\",\"https://other\"\r\n",
        ["htps://u@h=p"],
        kept: []
    ),
    OddExample(
        "csv",
        "Name,Url,MatchUrl,Login,Pwd,Note,Folder,RfFieldsV2\n"
            + "A,https://a,https://a/x,u,p,,,\nB,https://b,https://b,u,p,,,\"Login$,,,txt,u\"\n",
        ["htps://u@a=p"],
        kept: ["3: it has form fields as well"]
    ),
]
