// Pairs of issue titles as many kinds of projects have them, each with what a person says of the two. All of them were
// written before the likeness was, and which half a pair is in follows from its text alone.
import { createHash } from 'node:crypto'

/** same: one issue, in other words; near: alike, and another issue; unrelated: two issues of one project. */
type PairKind = 'same' | 'near' | 'unrelated'

export interface TitlePair {
  readonly kind: PairKind
  readonly one: string
  readonly other: string
  /** The half for choosing settings, or the half put aside. */
  readonly side: 'tuning' | 'aside'
}

/** A pair in each line, its titles apart by two bars. */
const TEXTS: Readonly<Record<PairKind, string>> = {
  same: `
Add rate limiting to the login endpoint || Rate-limit the login endpoint
Add dark mode || Implement a dark theme
Cache parsed manifests between runs || Add a cache for parsed manifests between runs
Fix crash when the config file is empty || App crashes on an empty configuration file
Memory leak in the WebSocket handler || Fix memory leak in WebSocket handler
Upgrade to React 19 || Update React to version 19
Remove unused dependencies || Delete dependencies that are not used
Add unit tests for the date parser || Write tests for date parsing
Support TypeScript 5.4 || Add support for TypeScript 5.4
Improve error messages of the CLI || Make CLI error messages clearer
Document the environment variables || Add documentation for environment variables
Login fails with a plus sign in the e-mail address || Cannot log in when email contains a plus
Users cannot reset their password || Password reset does not work for users
Speed up the test suite || Make the tests run faster
Add pagination to GET /users || Paginate the GET /users endpoint
Validate the input of the signup form || Add input validation to the sign-up form
Replace moment with date-fns || Migrate from moment to date-fns
Typo in README || Fix a typo in the readme
Export reports as CSV || Add CSV export for reports
Allow users to export their data as JSON || Add JSON export of user data
Add a health check endpoint || Provide an endpoint for health checks
Missing alt text on avatar images || Add alt text to avatar images
Make the sidebar collapsible || Allow collapsing the sidebar
Handle network timeouts in the sync client || Sync client should handle network timeouts
Add structured logging || Introduce structured logs
Retry failed webhook deliveries || Add retries for failed webhook deliveries
Add retries with exponential backoff to the HTTP client || HTTP client: retry with exponential backoff
Deduplicate the date formatting helpers || Remove duplicated date formatting helpers
Split the UserService class into smaller parts || Break up UserService into smaller classes
Use prepared statements in the report queries || Report queries should use prepared statements
SQL injection in the search endpoint || Fix SQL injection in search endpoint
Escape HTML in comments || HTML in comments is not escaped
Rotate the signing keys automatically || Automatic rotation of signing keys
Set up continuous integration with GitHub Actions || Add a GitHub Actions CI workflow
Add a Dockerfile || Provide a Docker image
Add keyboard navigation to the dropdown menu || Dropdown menu: support keyboard navigation
Translate the settings page to German || German translation of the settings page
Show a loading indicator while search results are fetched || Add a loading spinner during search
Add an index on orders.customer_id || Create index for orders.customer_id
Slow query on the orders page || Orders page query is slow
Fix flaky test in scheduler_test.go || scheduler_test.go is flaky
Drop support for Python 3.8 || Remove Python 3.8 support
Add type hints to the public API || Annotate the public API with types
Reduce the bundle size of the admin app || Shrink the admin app's bundle
Lazy-load images in the gallery || Load gallery images lazily
Sort search results by relevance || Search results should be sorted by relevance
Add undo to the editor || Support undo in the editor
Autosave drafts in the editor || Save drafts automatically in the editor
Prevent duplicate form submissions || Avoid submitting a form twice
Add a progress bar to the upload dialog || Upload dialog should show a progress bar
Log out users after 30 minutes of inactivity || Automatic logout after 30 minutes of inactivity
Session is not invalidated on logout || Invalidate the session on logout
Add two-factor authentication || Implement 2FA
Compress API responses with gzip || Enable gzip compression for API responses
Stop leaking file descriptors in the watcher || File descriptor leak in the watcher
Fix race condition in the job queue || Race condition in job queue
Add a --json flag to the status command || status command: add --json output
Read configuration from environment variables || Allow configuring through environment variables
Show line numbers in code blocks || Code blocks should have line numbers
Add a search box to the documentation || Make the docs searchable
Update the contribution guide || Improve CONTRIBUTING.md
Explain the release process in the docs || Document how releases are made
Bump lodash to 4.17.21 || Upgrade lodash to 4.17.21
Fix deprecation warnings of NumPy 2 || Resolve NumPy 2 deprecation warnings
Replace the hand-written CSV parser with a library || Use a library for parsing CSV
Extract the payment logic into its own module || Move payment logic to a separate module
Circular import between models and services || Remove the circular import between services and models
Parse dates in ISO 8601 format || Support ISO 8601 dates
Wrong total on the invoice when a discount is applied || Invoice total is wrong with a discount
Division by zero in average() for empty lists || average() of an empty list divides by zero
Tooltips are cut off on small screens || Fix clipped tooltips on small screens
Scroll position is lost after navigation || Keep the scroll position after navigating
Increase color contrast of disabled buttons || Disabled buttons have too little color contrast
Announce form errors to screen readers || Form errors are not announced by screen readers
Add focus styles to links || Links need visible focus styles
Emit metrics for queue depth || Add a queue depth metric
Add tracing to the payment service || Instrument the payment service with traces
Alert when disk space is low || Add an alert for low disk space
Back up the database daily || Daily database backups
Graceful shutdown on SIGTERM || Handle SIGTERM with a graceful shutdown
Add a circuit breaker for the e-mail provider || Circuit breaker around the email provider
Store money amounts as integers || Use integers for monetary amounts
Encrypt backups at rest || Add encryption at rest for backups
Do not log passwords || Passwords are written to the log
Add a license file || Missing LICENSE
Generate the API client from the OpenAPI schema || Use the OpenAPI schema to generate the API client
Version the public API || Add versioning to the public API
Deprecate the v1 endpoints || Mark v1 endpoints as deprecated
Support partial responses with a fields parameter || Add a fields parameter for partial responses
Batch inserts in the importer || Importer should insert rows in batches
Stream large file downloads || Downloads of large files should be streamed
Remove dead code in the renderer || Delete unused code from the renderer
Enable strict mode in tsconfig || Turn on TypeScript strict mode
Lint on pre-commit || Add a pre-commit hook that runs the linter
Pin the versions of GitHub Actions || Pin GitHub Actions to exact versions
Player falls through the floor at high speed || At high speed the player falls through floors
Add controller support || Support game controllers
Save games are corrupted when the disk is full || Full disk corrupts save games
GPU memory is not freed after training || Free GPU memory after training ends
Add early stopping to the trainer || Implement early stopping in trainer
Support reading Parquet files || Add a Parquet reader
Watchdog resets the board during flash writes || Board is reset by the watchdog while writing flash
Reduce power consumption in sleep mode || Lower the power draw in sleep mode
Push notifications are not delivered on Android 14 || Android 14: push notifications don't arrive
Rotate logs when they exceed 100 MB || Add log rotation at 100 MB
Show the app version in the settings screen || Display app version on settings screen
Avoid N+1 queries in the comments list || Fix the N+1 query problem in the list of comments
Hide secrets in CI logs || Mask secrets in the CI output
Add Prometheus metrics endpoint || Expose metrics for Prometheus
Rename master branch to main || Rename the default branch from master to main
Quote file names with spaces in the build script || Build script breaks on file names with spaces
Add rate limiting to the login endpoint || Add rate limiting to the login API endpoint
Fix memory leak in the WebSocket handler || Fix the memory leak in the WebSocket handler code
Upload dialog should show a progress bar || Show a progress bar in the file upload dialog
Remove dead code in the renderer module || Remove dead code in the renderer
Retry failed webhook deliveries with backoff || Retry failed webhook deliveries with exponential backoff
Add a health check endpoint to the worker || Add a /health check endpoint to the worker service
Cache responses of the product search API || Cache the responses of the product search endpoint
Add tests for the error paths of the CSV importer || Add test coverage for error paths of the CSV importer`,
  near: `
Add dark mode || Remove dark mode
Add rate limiting to the login endpoint || Remove rate limiting from the login endpoint
Fix crash on login || Fix crash on logout
Add tests for login || Add tests for logout
Upgrade React to 18 || Upgrade React to 19
Bump lodash to 4.17.20 || Bump lodash to 4.17.21
Drop support for Node 16 || Drop support for Node 18
Add unit tests for src/parser.ts || Add unit tests for src/lexer.ts
Fix typo in README.md || Fix typo in CONTRIBUTING.md
Flaky test in scheduler_test.go || Flaky test in worker_test.go
Export reports as CSV || Export reports as PDF
Export contacts as CSV || Import contacts from CSV
Enable gzip compression || Disable gzip compression
Increase the upload limit to 50 MB || Decrease the upload limit to 50 MB
Increase the default timeout to 30 seconds || Increase the default timeout to 60 seconds
Open links in a new tab || Close links in a new tab
Encrypt backups || Decrypt backups
Read settings from the environment || Write settings to the environment
Sort users by name || Sort users by date
Sort results ascending || Sort results descending
Show the sidebar by default || Hide the sidebar by default
Start the worker on boot || Stop the worker on shutdown
Add a client for the billing API || Add a server for the billing API
Validate e-mail addresses on the client || Validate e-mail addresses on the server
Migrate from Jest to Vitest || Migrate from Vitest to Jest
Replace axios with fetch || Replace fetch with axios
Rename foo to bar || Rename bar to foo
Copy data from staging to production || Copy data from production to staging
Add German translation || Add French translation
Translate the settings page to German || Translate the profile page to German
Add an index on orders.customer_id || Add an index on orders.product_id
Memory leak in the WebSocket handler || Memory leak in the HTTP handler
SQL injection in the search endpoint || SQL injection in the login endpoint
Add caching to the product list || Add caching to the product detail page
Add pagination to GET /users || Add pagination to GET /orders
Add a --json flag to the status command || Add a --json flag to the list command
Add a --verbose flag to the build command || Add a --quiet flag to the build command
Fix race condition in the job queue || Fix race condition in the cache
Support Python 3.12 || Support Python 3.13
Support MySQL || Support MariaDB
Add authentication to the API || Add authorization to the API
Document the REST API || Document the GraphQL API
Add docs for installation on Linux || Add docs for installation on Windows
App crashes on iOS 17 || App crashes on Android 14
Push notifications on iOS || Push notifications on Android
Log errors to stderr || Log errors to a file
Retry on 503 || Retry on 429
Return 404 for unknown users || Return 403 for unknown users
Do not retry on timeouts || Retry on timeouts
Allow empty passwords || Do not allow empty passwords
Make the sidebar collapsible || Make the header collapsible
Add a spinner to the save button || Add a tooltip to the save button
Lazy-load images in the gallery || Lazy-load videos in the gallery
Compress images before upload || Resize images before upload
Extract the payment logic into a module || Extract the shipping logic into a module
Split UserService || Split OrderService
Rename UserService to AccountService || Split UserService into AccountService and ProfileService
Add type hints to the public API || Add type hints to the internal API
Run migrations before the deploy || Run migrations after the deploy
Add a dry-run mode to the importer || Add a dry-run mode to the exporter
Add a progress bar to the upload dialog || Add a cancel button to the upload dialog
Session is not invalidated on logout || Session is not created on login
Reduce memory usage of the indexer || Reduce CPU usage of the indexer
Improve performance of the search || Improve accessibility of the search
Add keyboard navigation to the dropdown || Add keyboard navigation to the calendar
Show validation errors inline || Show validation errors in a dialog
Use UTC for timestamps || Use local time for timestamps
Fix date parsing for leap years || Fix date formatting for leap years
Add tests for the CSV parser || Fix the CSV parser
Add tests for the CSV parser || Document the CSV parser
Refactor the CSV parser || Remove the CSV parser
Add retries to the HTTP client || Add timeouts to the HTTP client
Emit metrics for queue depth || Emit metrics for request latency
Alert when disk space is low || Alert when memory is low
Back up the database daily || Restore the database from a backup
Graceful shutdown on SIGTERM || Reload configuration on SIGHUP
Store passwords with bcrypt || Store sessions in Redis
Add a license file || Add a security policy file
Deprecate the v1 endpoints || Deprecate the v2 endpoints
Deprecate the v1 endpoints || Remove the v1 endpoints
Add an endpoint to create orders || Add an endpoint to cancel orders
Add an endpoint to list orders || Add an endpoint to delete orders
Cache GET /products || Invalidate the cache of GET /products
Lock accounts after five failed logins || Unlock accounts after five minutes
Send an e-mail when an order ships || Send an SMS when an order ships
Pin the versions of GitHub Actions || Update the versions of GitHub Actions
Add a Dockerfile for the API || Add a Dockerfile for the worker
Add a Helm chart || Add a Terraform module
Player falls through the floor || Player falls through the ceiling
Support reading Parquet files || Support writing Parquet files
Add early stopping to the trainer || Add checkpointing to the trainer
Train on multiple GPUs || Infer on multiple GPUs
Watchdog resets the board during flash writes || Watchdog does not reset the board during flash writes
Add an I2C driver || Add an SPI driver
Reduce power consumption in sleep mode || Reduce power consumption in active mode
Convert the build to ESM || Convert the tests to ESM
Enable strict mode in tsconfig || Enable incremental mode in tsconfig
Remove dead code in the renderer || Remove dead code in the compiler
Collapse all sections by default || Expand all sections by default
Add a maximum length to comments || Add a minimum length to comments
Round prices up || Round prices down
Add vertical scrolling to the table || Add horizontal scrolling to the table
Undo in the editor || Redo in the editor
Move the menu to the left || Move the menu to the right
Subscribe to the newsletter in the footer || Unsubscribe from the newsletter in the footer
Fix the first page of the wizard || Fix the last page of the wizard
Add synchronous API to the store || Add asynchronous API to the store
Encode URLs in redirects || Decode URLs in redirects
Serialize dates in responses || Deserialize dates in requests
Pause downloads on mobile networks || Resume downloads on mobile networks
Mute all participants || Unmute all participants
Attach files to comments || Detach files from comments
Add public profiles || Add private profiles
Check permissions when reading files || Check permissions when writing files
Warn about unsaved changes on close || Save changes on close
Support IPv4 addresses in the allow list || Support IPv6 addresses in the allow list
Add rate limiting per user || Add rate limiting per IP address
Install packages with npm || Install packages with pnpm
Set the log level by environment variable || Set the port by environment variable
Fix build on Windows || Fix build on macOS
Add integration tests for checkout || Add unit tests for checkout
Reject orders without items || Reject orders without address
Add a rollback for failed deployments || Add notifications for failed deployments
Handle missing files in the loader || Handle corrupt files in the loader
Find users by e-mail || Find users by phone number
Move tests to the package folder || Move docs to the package folder
Add a warning for deprecated options || Add an error for deprecated options
Limit the size of uploads || Limit the number of uploads
Show yesterday's sales on the dashboard || Show tomorrow's deliveries on the dashboard
Support zooming in on maps || Support zooming out on maps
Use the primary database for reports || Use a replica for reports
Add keyboard navigation to the dropdown menu || Add keyboard navigation to the mobile dropdown menu
Fix memory leak in the WebSocket handler || Fix memory leak in the WebSocket reconnect handler
Add unit tests for the CSV date parser || Add unit tests for the CSV date range parser
Validate the input of the signup form || Validate the input of the newsletter signup form
Export sales reports as CSV files || Export weekly sales reports as CSV files
Cache responses of the product search API || Cache error responses of the product search API
Add a loading spinner to the order page || Add a loading spinner to the order history page
Retry failed webhook deliveries with backoff || Retry failed webhook test deliveries with backoff
Remove unused columns of the orders table || Remove unused columns of the orders archive table
Show line numbers in code blocks of comments || Show line numbers in code blocks of deleted comments
Document environment variables of the worker process || Document environment variables of the worker test process
Reduce memory usage of the image indexer || Reduce peak memory usage of the image indexer
Add early stopping to the GPU trainer loop || Add early stopping to the multi GPU trainer loop
Log slow queries of the reporting database || Log slow queries of the reporting database replica
Sort search results by price || Sort search results by unit price
Upload dialog should show a progress bar || Upload dialog should show a second progress bar
Handle network timeouts in the sync client || Handle network timeouts in the sync client tests
Translate the settings page to German || Translate the notification settings page to German
Add an index on orders.customer_id || Add a unique index on orders.customer_id
Allow guests to check out with PayPal || Allow guests to check out with PayPal subscriptions
Encrypt database backups at rest || Encrypt incremental database backups at rest
Paginate the list of users in the admin || Paginate the list of deleted users in the admin
Add tracing to the payment service calls || Add tracing to the payment service callback calls
Pin action versions in the release workflow || Pin action versions in the nightly release workflow`,
  unrelated: `
Add dark mode || Fix SQL injection in the search endpoint
Rate-limit the login endpoint || Translate the settings page to German
Memory leak in the WebSocket handler || Document the environment variables
Upgrade React to 19 || Users cannot reset their password
Export reports as CSV || Graceful shutdown on SIGTERM
Add unit tests for the date parser || Increase color contrast of disabled buttons
Fix flaky test in scheduler_test.go || Add a license file
Support TypeScript 5.4 || Sort search results by relevance
Add an index on orders.customer_id || Show line numbers in code blocks
Lazy-load images in the gallery || Rotate the signing keys automatically
Handle network timeouts in the sync client || Typo in README
Remove unused dependencies || Scroll position is lost after navigation
Retry failed webhook deliveries || Player falls through the floor at high speed
Add two-factor authentication || Batch inserts in the importer
Compress API responses with gzip || Tooltips are cut off on small screens
Log out users after 30 minutes of inactivity || Support reading Parquet files
Add early stopping to the trainer || Add a Dockerfile
Watchdog resets the board during flash writes || Add a search box to the documentation
Back up the database daily || Make the sidebar collapsible
Circular import between models and services || Emit metrics for queue depth
Do not log passwords || Add a progress bar to the upload dialog
Parse dates in ISO 8601 format || Enable strict mode in tsconfig
Wrong total on the invoice when a discount is applied || Hide secrets in CI logs
Add focus styles to links || Store money amounts as integers
Version the public API || GPU memory is not freed after training
Autosave drafts in the editor || Pin the versions of GitHub Actions
Add tracing to the payment service || Add keyboard navigation to the dropdown menu
Division by zero in average() for empty lists || Set up continuous integration with GitHub Actions
Split the UserService class into smaller parts || Push notifications are not delivered on Android 14
Encrypt backups at rest || Announce form errors to screen readers
Slow query on the orders page || Explain the release process in the docs
Add a circuit breaker for the e-mail provider || Drop support for Python 3.8
Show the app version in the settings screen || Fix race condition in the job queue
Stream large file downloads || Deprecate the v1 endpoints
Reduce power consumption in sleep mode || Prevent duplicate form submissions
Add type hints to the public API || Add a loading spinner during search
Add undo to the editor || Add an alert for low disk space
Fix crash when the config file is empty || Fix deprecation warnings of NumPy 2
Add a health check endpoint || Add alt text to avatar images
Improve error messages of the CLI || Improve the contribution guide
Validate the input of the signup form || Validate the checksum of firmware images
Add caching to the product list || Add sound effects to the menu
Remove dead code in the renderer || Remove the unused e-mail column from users
Update the contribution guide || Update player positions on the server
Support IPv6 in the proxy || Support right-to-left text in the editor
Refactor the HTTP client || Refactor the settings dialog
Add logging || Add a favicon
Fix tests || Fix layout
Use a connection pool for the database || Use a monospace font in the terminal
Allow comments in configuration files || Allow guests to check out
Cannot open large files || Cannot change the language
Crash on startup || Crash while printing
Test coverage of the billing module || Release notes of version 2
Speed up cold starts of the lambda functions || Speed limits are shown in miles
Render Markdown in comments || Render shadows in the level editor
Check the license of dependencies || Check the spelling in the editor
Sign release artefacts || Sign in with Google
Add a table of contents to the handbook || Add a table for audit events
Index documents for full text search || Index out of bounds in the tokenizer
Make the parser recover from missing brackets || Make invoices printable`,
}

export const PAIRS: readonly TitlePair[] = Object.entries(TEXTS).flatMap(([kind, text]) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [one = '', other = ''] = line.split(' || ')
      return { kind: kind as PairKind, one, other, side: sideOf(line) }
    }),
)

function sideOf(line: string): TitlePair['side'] {
  return (createHash('sha256').update(line).digest()[0] ?? 0) % 2 === 0 ? 'tuning' : 'aside'
}
