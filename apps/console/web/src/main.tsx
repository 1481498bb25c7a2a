import './design/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Toasts } from './design/toast.tsx';
import { router } from './router.tsx';
import { configQuery, sessionQuery } from './session/session.tsx';

const queryClient = new QueryClient({
  defaultOptions: {
    // Failures are shown with *Try again*: no request is repeated automatically.
    queries: { retry: false, staleTime: 30_000, gcTime: 300_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
void queryClient.prefetchQuery(sessionQuery);
void queryClient.prefetchQuery(configQuery);

// A page that the browser restores from its cache may show data of an earlier session.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload();
});

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
createRoot(place).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
