import type { SourceKind } from '../configuration/source-kind.ts';
import { appleBusiness } from './apple/apple-business.ts';
import { gsx } from './gsx/gsx.ts';
import { http } from './http.ts';
import { registry } from './registry.ts';
import { sandbox } from './sandbox.ts';

/** All kinds of sources that SOURCES_FILE may name. */
export const kinds: SourceKind[] = [sandbox, http, gsx, appleBusiness, registry];
