// Known advisories against the packages that run for people: npm run advisories. Ends with 1 where there are any of high
// or critical severity, and with 0, saying so, where the registry does not offer advisories.
import { spawnSync } from 'node:child_process';

type Report = {
  metadata?: { vulnerabilities: Record<'info' | 'low' | 'moderate' | 'high' | 'critical', number> };
  vulnerabilities?: Record<string, { severity: string; range: string }>;
};

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  timeout: 120_000,
});
const report = readReport(stdout);
if (!report?.metadata) {
  console.log('The registry offers no advisories: nothing was checked.');
} else {
  const { high, critical, moderate, low } = report.metadata.vulnerabilities;
  console.log(`advisories: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low`);
  for (const [name, { severity, range }] of Object.entries(report.vulnerabilities ?? {})) {
    console.log(`  ${severity}: ${name} ${range}`);
  }
  process.exitCode = high + critical > 0 ? 1 : 0;
}

function readReport(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return undefined;
  }
}
