import { api06 } from './api-06.ts';
import { data3023 } from './data-3023.ts';
import { imeiInfo } from './imei-info.ts';
import { imeicheckNet } from './imeicheck-net.ts';
import { lenovo } from './lenovo.ts';
import { phonecheck } from './phonecheck.ts';
import { sickw } from './sickw.ts';
import type { Template } from './template-case.ts';

/** Every http template of docs/sources/templates.json by name, with the documented responses of its service. */
export const templates: Record<string, Template> = {
  sickw: sickw,
  'imei-info': imeiInfo,
  'imeicheck-net': imeicheckNet,
  '3023data': data3023,
  '06api': api06,
  phonecheck: phonecheck,
  lenovo: lenovo,
};
