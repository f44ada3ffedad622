// What names a secret, and what only looks like it: alternatives of regular expressions, by meaning and not by language,
// because languages share their stems. Accents do not matter (`ł` is written `l`), and a space may be missing where it stands. The short list
// of the main part (secret-stems.ts) knows these too, as far as a log is concerned.

/** In whatever word it stands: `mypassword`, `Sozialversicherungsnummer`. */
export const ANYWHERE =
  'passw|pa?s+[wv]+(?:o*r)?[dt]|pass (?:phrase|[ck]ode|wor[dt])|pwd|kennwort|geheim(?:zahl|nummer)|kartenpr|bankverb|steuernum|mot de passe|contraseñ|palavra passe|parola d|wachtwoord|haslo|losenord|passord|пароль?|密[码碼]|口令|密[钥鑰]|令牌|助[记記][词詞]|パスワード|暗証|비밀번호|كلم[ةه] ?(?:ال)?(?:مرور|سر)|creden[ctz]ial|mnemoni|(?:zugangs|anmelde|login)daten|soci[a-z]{1,9} (?:se[cg]ur|insur)|se[cg]ur[a-z]{1,9} soci|sozialvers|社保|الضمان|codice fisc|burgerserv|pesel|身[份分][证證]|マイナンバー'

/** As words of their own. */
export const WORDS =
  'senha|hasl[ae]m?|şifre(?!le)[a-z]*|m dp|t?otp|m tan|bearer|jwt|cv[vc](?: 2)?|csc|cc n[a-z]+|card d(?:etails|ata)|nir|sv n[a-z]*r|aadhaa?r|iban|ssn|(?:tax|steuer|national|government) id(?: ?n[a-z]+)?|curp|cpf|dni|nif|bsn|(?:user|db|database|login|admin|root|smtp|ftp|wi fi|e? ?mail|my|new|old|confirm) (?:pass|pw|pin)|(?:atm|sim|bank|phone|device|debit|digit) pin|(?:kart[a-z]+|geheime) pin|pin n(?:um[a-z]*|r|o)|pin d[aeio]l*a?|die pin|digit code|code (?:we|you|from (?:your|the)|reçu)|(?:client|shared) secret|your secret(?= ?$)'

/** What makes a secret of a code, a key, a token or a phrase. */
export const KINDS =
  '(?:api|pin|sms|mfa|ssh|gpg|wpa|aws|hmac|priv)(?= |[ck]o?d?e|tok)|wi fi|wlan|netz?w|door|activ|vault|wallet|sign(?:ing| in)|log ?in|2 ?fa|two factor|one time|einmal|usage un|un solo|monouso|auth(?!or(?!iz))|secre|segret|geheim|tajn|acc?ess?|zugang|toegang|dostep|pr[iy][vw][ae](?!cy)|[vw]er[iy]f|se[cg]ur|sicur|sicher|beveil|bezpiec|conf[ei]rm|bestatig|bevest|potwierd|recup|recov|wiederh|herstel|odzysk|encrypt|seed|backup|unlock|reset|refresh|session|openai|stripe|[验驗][证證]|私|安全|認証|確認|アクセス|秘密|セキュリティ|التحقق|الامان|السري|الخاص'
export const HEADS =
  'codi?[gc]?[eo]|kod|key|schlu?e?ssel|sleutel|cle|clave|chave|chiave|klucz|token|jeton|cookie|seed|wor[dt]|phrase|fra[sz][aey]|parola|palabra|[码碼]|[钥鑰]|コード|キー|鍵|トークン|رمز|الرمز|مفتاح|المفتاح'

/** Bank cards and accounts, and what else has a number that is a person's own. */
export const BANKS = 'cr[eé]di|kredi|debi|ban[ckq]|信用|[银銀]行|クレジット|الائتمان'
export const THINGS =
  'card|kart[aey]?|cart(?:e|ao?)|tarjeta|kaart|kort|acc(?:oun)?t|kont[ao]|compte|cuenta|cont[ao](?![a-z])|rekening|rachunk|pa[sz]+[ae]?po+rt|ausweis|reisepass|identi(?:ty|te|ta|dade?)|dowod|driver s? ?licen[cs]e|卡|[账帳]|[护護]照|カード|口座|旅券|パスポート|بطاقة|البطاقة|الحساب|الهوية|جواز'
export const NUMBERS = 'n(?:um[a-z]*|o|r)|[号號]|番号|رقم'

/** Words with other meanings too: when they are the whole name, or somebody says whose it is. `clave` is also a key. */
export const ALONE = 'pin|pass|pw|token|clave|nie|rg|jeton|parola|トークン'
export const YOURS = 'your|my|enter|card|ihre?[nmrs]?|deine?n?|votre|tu|su|sua|seu|tuo|tua|uw|podaj|twoj[a-z]*'
/** Before `token` or `secret` at the end of a name: no secret. */
export const ORDINARY =
  'which|max|min|per|kept|page|next|stop|sync|start|end|cursor|first|last|design|unknown|trade|open|is|an?|the'

/** Behind a secret: something about it, which is none. */
export const ABOUT =
  'names?|ids?|type|kind|polic[a-z]+|hint|length|count|path|ref|url|version|manager|reset|rules?|rotation|expir[a-z]+|limit|strength|generator|holder|office|richtlinie|lange|reklamow[a-z]*|学|[类類]型'
/** Before it, with one of `OF`. */
export const ABOUT_OF = 'name|label|id|type|length|list|hint|policy|nombre|nom|nome|longitud|lange'
export const OF = 'of|for|d[eiou]s?'

/** What asks a person to write. */
export const ASKS =
  'enter|type|paste|provide|supply|give|tell|send|share|insert|input|fill|specify|need|what(?: is| are| s| was)|which|please|confirm|may i|could i|g[ei]ben?|eingeben|bitte|lautet|saisi[a-z]+|entrez|veuillez|introdu[a-z]+|ingres[a-z]+|escrib[a-z]+|digit[a-z]+|inseri[a-z]+|insira|voer|vul|wpisz|girin|ange|quel|cual|qual'
/** The same, in scripts that write without spaces or in front of a word. */
export const ASKS_WITHIN = '[输輸]入|提供|[您你]的|[请請]|入力|教えて|ください|입력|ادخل|اكتب|ما ه|الخاص|введ|укаж'
