// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { isSecretName, isSecretText } from '../../src/core/secrets/is-secret.js'
import { ordinaryNames, secretNames } from '../cases/secret-names.js'

describe('a name asks for a secret', () => {
  it.each(Object.entries(secretNames).flatMap(([kind, names]) => names.map((name) => [kind, name] as const)))(
    '%s: %s',
    (_kind, name) => {
      expect(isSecretName(name)).toBe(true)
    },
  )
})

describe('an ordinary name stays a field', () => {
  it('of more than 300', () => {
    expect(new Set(ordinaryNames).size).toBeGreaterThan(300)
  })

  it.each(ordinaryNames)('%s', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

const asks = [
  ...['Password?', 'API key:', 'What is your password?', 'What’s the admin password?', 'Enter the API key for OpenAI'],
  ...['Please paste your GitHub token.', 'Which password should I use for the database?', 'PIN?', 'Your PIN?'],
  ...['I need your AWS secret access key to go on.', 'Type the verification code that was sent to you'],
  ...['The deploy failed. Give me the root password, then I try again.', 'What is the PIN code of the door?'],
  ...['your recovery phrase', 'Enter your password without spaces.', 'What are your login credentials?'],
  ...['Enter your password, do not share it with others.', 'Enter your password (not your PIN) for the account'],
  ...['Your API key', 'The password, please', 'Could I have the root password of this very server?', 'Enter PIN'],
  ...['Enter the 6-digit code we sent you', 'Type the code from your authenticator app', 'host, port, password'],
  ...['Enter the user name, the region, and the password you use for the database every day', 'Card number'],
  ...['We never store your password, please enter it', 'We do not share data, enter your password'],
  ...['If you do not enter your password the deploy fails', 'I lost the password of the database. Type it here.'],
  ...[
    'Enter your pass\u00ADword',
    'Enter your p a s s w o r d',
    'Enter your p4ssw0rd',
    'pаssword?',
    'Kindly provide your SSN',
  ],
  ...[
    'Bitte geben Sie Ihr Passwort ein',
    'Gib dein Kennwort ein, damit es weitergeht',
    'Ihre Kreditkartennummer bitte',
  ],
  ...['Wie lautet die PIN Ihrer Karte?', 'Bitte nennen Sie mir Ihre IBAN', 'Veuillez saisir votre mot de passe'],
  ...['Quel est votre numéro de sécurité sociale ?', 'Merci de saisir le code reçu par SMS pour valider'],
  ...['Introduce tu contraseña para continuar con la operación', 'Ingrese su clave', '¿Cuál es tu DNI?'],
  ...['Digite sua senha para continuar agora', 'Informe seu CPF', 'Inserisci la tua password per continuare'],
  ...['Inserisci il codice fiscale', 'Voer uw wachtwoord in om verder te gaan', 'Wat is uw BSN?', 'Podaj numer PESEL'],
  ...[
    'Podaj hasło do swojego konta bankowego',
    '请输入您的密码',
    '请提供您的身份证号码',
    'パスワードを入力してください',
  ],
  ...[
    '暗証番号を教えてください',
    'أدخل كلمة المرور الخاصة بك',
    'ما هو رقم البطاقة الخاصة بك؟',
    'Введите пароль от вашего аккаунта',
  ],
  ...['Lütfen şifrenizi girin', '비밀번호를 입력하세요', 'Ange ditt lösenord för att fortsätta'],
]

const asksNot = [
  ...['', 'What is your name?', 'Why was the password changed last week?', 'Was the password changed?'],
  ...['Should the page show that the password was changed?', 'What is the password policy?', 'Which key?'],
  ...['Which secrets manager do you use?', 'Which token limit should I use?', 'What is your secret ingredient?'],
  ...['How many tokens may it spend?', 'What should happen when the API key expires in the night?', 'Pin a note'],
  ...['What is your account name? Do not enter your password.', 'We will never ask for your password.'],
  ...['Your account name please, we will never ask for your password.', 'Do not send passwords'],
  ...['Which pin of the board is the lamp wired to?', 'What is the name of the API key to revoke?'],
  ...[
    'Name of the API key',
    'Reset password',
    'Rotate the API key',
    'Should passwords expire after ninety days or never?',
  ],
  ...['Which card is on top?', 'Why was the card declined yesterday?', 'Was the token revoked?', 'Your zip code'],
  ...[
    'Enter a promo code',
    'Enter the order number',
    'Which country issued your passport?',
    'Which account should pay?',
  ],
  ...['Warum wurde das Passwort letzte Woche geändert?', '¿Por qué se cambió ayer la contraseña del servidor?'],
]

describe('a text asks for a secret', () => {
  it.each(asks)('%j', (text) => {
    expect(isSecretText(text)).toBe(true)
  })
})

describe('a text asks for none', () => {
  it.each(asksNot)('%j', (text) => {
    expect(isSecretText(text)).toBe(false)
  })
})

describe('a long text', () => {
  it.each([
    'a',
    'soci',
    'num',
    'card ',
    'password policy ',
    'not password ',
    'the token ',
    '-',
    '.',
    '(',
    '1a',
    '密码',
    'A B ',
  ])('of %j is read in bounded time', (part) => {
    const text = part.repeat(20_000 / part.length)
    const start = performance.now()
    isSecretName(`num${text}`)
    isSecretText(text)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
