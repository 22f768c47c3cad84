#!/usr/bin/env node
import { version } from "./version.js";

process.stderr.write(`turnfold ${version}\n`);
