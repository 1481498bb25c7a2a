import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'web',
  plugins: [react()],
  // Another package of the repository has an older React, which npm puts where hoisted packages find it.
  resolve: { dedupe: ['react', 'react-dom', 'scheduler'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
