// The documents of a seat: the page, whose script asks the server for everything, and the page that a token opens.

/**
 * Content security policy of all responses of a seat: script, style and data come only from this server, and text
 * never becomes markup.
 */
export const seatPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const head = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your seat</title>`;

/** The page of a seat. */
export const seatDocument = `<!doctype html>
<html lang="en">
<head>
${head}
<link rel="stylesheet" href="seat.css">
<script src="seat.js" defer></script>
</head>
<body class="at-table"><div id="app"></div></body>
</html>
`;

/**
 * The page that a valid token opens. It loads the seat's page by itself, because a browser that followed a link from
 * another site does not send the seat's cookie after a redirect by the server.
 */
export const welcomeDocument = `<!doctype html>
<html lang="en">
<head>
${head}
<meta http-equiv="refresh" content="0; url=./">
</head>
<body><main><h1>Your seat</h1><p><a href="./">Take your seat</a></p></main></body>
</html>
`;
